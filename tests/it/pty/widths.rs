//! Writing of all kinds stands without marks in the cells that the terminal gives it.

use super::setup::Setup;
use super::terminal::eventually;
use crate::env::{TestEnv, bar};
use skillpick::text;

/// Texts in one skill, so many as have room beside the list.
const ROWS: usize = 20;

fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    let regions = "AD AE AF AR AT AU BD BE BG BR CA CH CL CN CO CU CZ DE DK DZ EC EE EG ES ET FI FR GB \
         GE GH GR HK HR HU ID IE IL IN IQ IR IS IT JM JO JP KE KR KZ LB LK LT LU LV MA MX MY NG \
         NL NO NP NZ PE PH PK PL PT RO RS RU SA SE SG SI SK TH TN TR TW UA UG US UY UZ VE VN ZA";
    let letter = |byte: u8| char::from_u32(0x1f1e6 + u32::from(byte - b'A')).unwrap();
    texts.extend(regions.split(' ').map(|region| region.bytes().map(letter).collect::<String>()));
    texts.extend(('\u{1f600}'..='\u{1f64f}').map(String::from));
    texts.extend(('\u{1f680}'..='\u{1f6c5}').map(String::from));
    for tone in '\u{1f3fb}'..='\u{1f3ff}' {
        texts.extend("👋👌👍👎👏👐🙏💪👂👃".chars().map(|hand| format!("{hand}{tone}")));
    }
    texts.extend("☀☁☂☃☎☑☠☢☣☮☯♠♣♥♦♻⚖⚙✈✉✏❤".chars().map(|sign| format!("{sign}\u{fe0f}")));
    texts.extend("0123456789#*".chars().map(|key| format!("{key}\u{fe0f}\u{20e3}")));
    let joined = "👨‍👩‍👧‍👦 👩‍👩‍👧 👩‍💻 👨‍🚀 🏳️‍🌈 🏴‍☠️ 👩🏽‍❤️‍💋‍👨🏽 🕵🏽‍♂️ 🧑‍🤝‍🧑 👁️‍🗨️ 🐕‍🦺 🧔‍♀️";
    texts.extend(joined.split(' ').map(str::to_owned));
    texts.push("\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}".to_owned());
    let words = "日本語 文字 漢字 技能 选择 工具 资料 繁體 檔案 設定 ひらがな カタカナ ﾊﾝｶｸ スキル 検索 一覧 \
         한국어 기술 검색 설정 목록 도움말 العربية مهارة بحث ملف إعدادات می‌خواهم فارسی مهارت اردو ہنر \
         עברית שָׁלוֹם מיומנות हिन्दी कौशल खोज क्ष क्‍ष स्त्री মিল বাংলা দক্ষতা தமிழ் திறன் తెలుగు నైపుణ్యం ಕನ್ನಡ \
         മലയാളം ગુજરાતી ਪੰਜਾਬੀ ଓଡ଼ିଆ සිංහල ไทย ทักษะ ลาว မြန်မာ ខ្មែរ བོད་ ქართული հայերեն አማርኛ Ελληνικά \
         русский українська e\u{301}te\u{301} Tiếng Việt ñandú Ångström i\u{307} q\u{307}\u{323} 𝒳𝓎 𐍈 ꙮ \
         ½ ™ … — “q” ﬁ Ⅷ ① ㎏ ㋿ Ａｌ ！ ￥ 〜 「」 ・ ー";
    let words: Vec<&str> = words.split_whitespace().collect();
    texts.extend(words.iter().map(|word| (*word).to_owned()));
    let beside = words.iter().zip(words.iter().skip(7).cycle());
    texts.extend(beside.map(|(one, other)| format!("{one} {other}")));
    texts
}

/// Whether a terminal that knows no joined signs, as this one, gives their parts cells of their own.
/// Then the sign is not whole, but what follows it stands in its column.
fn joins(c: char) -> bool {
    matches!(c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}')
        || matches!(c, '\u{200d}' | '\u{17d2}')
}

/// The text between the brackets behind this number, as the terminal's cells hold it, and how many
/// cells it has.
fn cells(screen: &vt100::Screen, number: &str) -> Option<(String, usize)> {
    let (rows, columns) = screen.size();
    (0..rows.get()).find_map(|row| {
        let line: Vec<&str> = (0..columns.get())
            .map(|column| screen.cell(row, column).map_or("", vt100::Cell::contents))
            .collect();
        let text = |range: &[&str]| {
            range.iter().map(|cell| if cell.is_empty() { " " } else { cell }).collect::<String>()
        };
        let opened = line.windows(5).position(|cells| text(cells) == format!("{number}["))? + 5;
        let closed = line[opened..].iter().position(|cell| *cell == "]")?;
        Some((line[opened..opened + closed].concat(), closed))
    })
}

#[test]
fn what_a_terminal_makes_of_joined_signs_does_not_stay_when_they_are_gone() {
    let env = TestEnv::with_four_skills();
    let signs = "👨‍👩‍👧‍👦🏳️‍🌈👍🏽 🇩🇪🇫🇷 ☺️ 1️⃣ 👩🏽‍❤️‍💋‍👨🏽";
    env.repo_skill("family", &format!("{signs} {signs} and words."));
    let terminal = Setup::new(&env, &[]).start();
    terminal.see("and words.");
    let drawn = terminal.see_bytes(0, "🇩🇪".as_bytes());
    terminal.type_keys("zebra");
    // This terminal leaves nothing, others do: the next frame begins on a cleared screen.
    terminal.see_bytes(drawn, b"\x1b[J");
    terminal.see_current("zebra");
    let stays = || terminal.text().chars().any(|sign| !sign.is_ascii() && signs.contains(sign));
    eventually("no part of a sign is left", || !stays());
    terminal.type_keys("<^u>zzzz");
    terminal.see("No match");
    assert!(!stays(), "{}", terminal.text());
}

#[test]
fn five_hundred_texts_have_the_cells_that_the_terminal_gives_them() {
    let env = TestEnv::new();
    let texts: Vec<(String, String)> = texts()
        .into_iter()
        .enumerate()
        .map(|(number, text)| (format!("{number:04}"), text))
        .collect();
    for (page, texts) in texts.chunks(ROWS).enumerate() {
        let lines = texts.iter().map(|(number, text)| format!("{number}[{text}]\n"));
        let body = format!("```\n{}```\n", lines.collect::<String>());
        let head = format!("name: page-{page:02}\ndescription: d");
        env.raw_skill(&format!("repo/.agents/skills/page-{page:02}"), &head, &body);
    }
    let mut terminal = Setup::new(&env, &[]).size(120, 60).start();
    for (page, texts) in texts.chunks(ROWS).enumerate() {
        terminal.see_current(&format!("page-{page:02}"));
        terminal.see(&format!("{}[", texts.last().unwrap().0));
        // Drawn anew: this terminal gives the parts of a joined emoji cells of their own.
        terminal.type_keys("<^l>");
        let is_right = |screen: &vt100::Screen, (number, text): &(String, String)| {
            let Some((shown, columns)) = cells(screen, number) else { return false };
            let is_whole = shown.replace(' ', "") == text.replace(' ', "");
            let is_apart = text.chars().any(joins) && !shown.contains('<');
            columns == text::width(text) && (is_whole || is_apart)
        };
        terminal.wait_for(&format!("the cells of each of {texts:?}"), |screen| {
            texts.iter().all(|text| is_right(screen, text))
        });
        bar::tried(texts.len());
        terminal.type_keys("<down>");
    }
    terminal.type_keys("<^c>");
    terminal.exit();
}
