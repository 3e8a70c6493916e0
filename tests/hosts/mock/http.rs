//! The part of HTTP/1.1 that a service on the loopback needs: one request on each connection, with
//! a length or in chunks, and one answer.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// In bytes, far above any request of an agent. A larger one is refused as an error of the
/// connection.
const MOST_BYTES: usize = 64 << 20;

/// One request as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Incoming {
    /// `GET`, `POST` …
    pub(crate) method: String,
    /// The path with its query, as the client wrote it.
    pub(crate) target: String,
    /// The body, its chunks joined.
    pub(crate) body: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    pub(crate) status: u16,
    pub(crate) media: &'static str,
    /// The whole body: an event stream is sent at once, which is still a stream to its reader.
    pub(crate) body: String,
}

impl Outgoing {
    pub(crate) fn new(status: u16, media: &'static str, body: impl Into<String>) -> Self {
        Self { status, media, body: body.into() }
    }
}

/// A listener on the loopback. It ends when it is dropped.
pub(crate) struct Service {
    address: SocketAddr,
    over: Arc<AtomicBool>,
}

impl Service {
    /// One that lets `answer` judge every request, each on a thread of its own.
    pub(crate) fn start(answer: impl Fn(Incoming) -> Outgoing + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let over = Arc::new(AtomicBool::new(false));
        let (answer, ended) = (Arc::new(answer), Arc::clone(&over));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if ended.load(Ordering::SeqCst) {
                    return;
                }
                let answer = Arc::clone(&answer);
                // A broken connection is the client's loss: its test then misses a request.
                thread::spawn(move || serve(stream, |incoming| answer(incoming)));
            }
        });
        Self { address, over }
    }

    /// Its address, with this behind it: `http://127.0.0.1:…/v1`.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Identifies it.
    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // Wakes the listener, so that it ends.
        let _ = TcpStream::connect(self.address);
    }
}

/// Reads one request, lets `answer` judge it, and closes the connection behind the answer.
fn serve(stream: TcpStream, answer: impl FnOnce(Incoming) -> Outgoing) -> io::Result<()> {
    // A client that never finishes its request must not hold its thread for ever.
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let Some(incoming) = read(&mut reader, &stream)? else { return Ok(()) };
    let without_body = incoming.method == "HEAD";
    write(&stream, &answer(incoming), without_body)
}

/// One request; none when the client has closed without asking.
fn read(reader: &mut impl BufRead, back: &TcpStream) -> io::Result<Option<Incoming>> {
    let first = line(reader)?;
    let mut words = first.split(' ');
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(None) };
    let (mut length, mut chunked) = (0, false);
    loop {
        let header = line(reader)?;
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').unwrap_or((&header, ""));
        let value = value.trim().to_ascii_lowercase();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => {
                length = value.parse().map_err(|_| wrong("a length that is no number"))?
            }
            "transfer-encoding" => chunked = value.contains("chunked"),
            // A test could not read a compressed body.
            "content-encoding" if value != "identity" => return Err(wrong("a compressed body")),
            "expect" => (&*back).write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?,
            _ => {}
        }
    }
    let body = if chunked { chunks(reader)? } else { exactly(reader, length)? };
    Ok(Some(Incoming { method: method.to_owned(), target: target.to_owned(), body }))
}

fn chunks(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let head = line(reader)?;
        let size = head.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).map_err(|_| wrong("a chunk without a size"))?;
        if size == 0 {
            // Trailers, up to the empty line.
            while !line(reader)?.is_empty() {}
            return Ok(body);
        }
        body.extend(exactly(reader, size)?);
        if body.len() > MOST_BYTES || !line(reader)?.is_empty() {
            return Err(wrong("a chunk that does not end where it should"));
        }
    }
}

fn exactly(reader: &mut impl BufRead, length: usize) -> io::Result<Vec<u8>> {
    if length > MOST_BYTES {
        return Err(wrong("a body larger than any agent sends"));
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(body)
}

/// One line without its end; empty at the end of the stream too.
fn line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut bytes = Vec::new();
    reader.take(64 << 10).read_until(b'\n', &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

fn write(mut stream: &TcpStream, answer: &Outgoing, without_body: bool) -> io::Result<()> {
    let Outgoing { status, media, body } = answer;
    let head = format!(
        "HTTP/1.1 {status} Answer\r\ncontent-type: {media}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    if !without_body {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `serve` makes of these bytes, and what the client gets.
    fn exchange(bytes: &'static [u8]) -> (Option<Incoming>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let client = thread::spawn(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(bytes).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        });
        let mut seen = None;
        let answer = Outgoing::new(200, "text/plain", "yes");
        let _ = serve(listener.accept().unwrap().0, |incoming| {
            seen = Some(incoming);
            answer
        });
        (seen, client.join().unwrap())
    }

    #[test]
    fn a_body_comes_by_its_length_or_in_chunks() {
        let (seen, answer) = exchange(b"POST /a?b HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello");
        let seen = seen.unwrap();
        assert_eq!(
            (seen.method.as_str(), seen.target.as_str(), seen.body.as_slice()),
            ("POST", "/a?b", &b"hello"[..])
        );
        assert!(answer.ends_with("content-length: 3\r\nconnection: close\r\n\r\nyes"), "{answer}");

        let chunked =
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nT: 1\r\n\r\n";
        assert_eq!(exchange(chunked).0.unwrap().body, b"hello");
    }

    #[test]
    fn a_question_about_the_head_gets_no_body() {
        let (seen, answer) = exchange(b"HEAD / HTTP/1.1\r\n\r\n");
        assert_eq!(seen.unwrap().method, "HEAD");
        assert!(answer.ends_with("\r\n\r\n"), "{answer}");
    }

    #[test]
    fn a_malformed_request_is_not_answered() {
        for bytes in [
            &b"POST / HTTP/1.1\r\nContent-Length: many\r\n\r\n"[..],
            b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"POST / HTTP/1.1\r\nContent-Encoding: zstd\r\nContent-Length: 1\r\n\r\nx",
        ] {
            let (seen, answer) = exchange(bytes);
            assert!(seen.is_none() && answer.is_empty(), "{answer}");
        }
    }
}
