//! TLS for a server: the certificates that the system trusts, or those of one file.

use super::error::StoreError;
use crate::text::SafeText;
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::path::Path;
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// How connections are secured. `roots` is a file of certificates in PEM form.
///
/// # Errors
/// [`StoreError::Refused`] if the file has no certificate.
pub(super) fn connector(roots: Option<&Path>) -> Result<MakeRustlsConnect, StoreError> {
    let refused = |error: &dyn std::fmt::Display| {
        StoreError::Refused(SafeText::line(&format!("sslrootcert: {error}")))
    };
    let mut trusted = RootCertStore::empty();
    match roots {
        Some(file) => {
            let found = CertificateDer::pem_file_iter(file).map_err(|error| refused(&error))?;
            for certificate in found {
                let certificate = certificate.map_err(|error| refused(&error))?;
                trusted.add(certificate).map_err(|error| refused(&error))?;
            }
            if trusted.is_empty() {
                return Err(refused(&"the file has no certificate"));
            }
        }
        // One that cannot be used is of no harm: then what it signed is not trusted.
        None => {
            let found = rustls_native_certs::load_native_certs().certs;
            let _ = trusted.add_parsable_certificates(found);
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| refused(&error))?;
    Ok(MakeRustlsConnect::new(builder.with_root_certificates(trusted).with_no_client_auth()))
}
