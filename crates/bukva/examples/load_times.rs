use bukva::decode::TokenTable;
use bukva::formats::{self, encodings::Encoding};
use bukva::model::Encoder;
use bukva::pipeline::Tokenizer;
use std::path::Path;
use std::time::Instant;

fn rss() -> f64 {
    let s = std::fs::read_to_string("/proc/self/statm").unwrap();
    s.split(' ').nth(1).unwrap().parse::<f64>().unwrap() * 4096.0 / 1e6
}
fn peak() -> String {
    let s = std::fs::read_to_string("/proc/self/status").unwrap();
    s.lines().find(|l| l.starts_with("VmHWM")).unwrap().to_owned()
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let path = Path::new(&args[1]);
    let enc = args.get(2).filter(|n| n.as_str() != "-").map(|n| Encoding::named(n).unwrap());
    let ms = |t: Instant| t.elapsed().as_secs_f64() * 1e3;
    let r0 = rss();
    if args.get(3).is_some() {
        let t = Instant::now();
        let tok = formats::open(path, enc.clone()).unwrap();
        println!("open {:.1} ms, rss +{:.1} MB {}", ms(t), rss() - r0, peak());
        std::mem::drop(tok);
        return;
    }
    let t = Instant::now();
    let bytes = std::fs::read(path).unwrap();
    println!("read {:.1}", ms(t));
    drop(bytes);
    let t = Instant::now();
    let spec = formats::load(path, enc.clone()).unwrap();
    println!("load {:.1}", ms(t));
    let t = Instant::now();
    spec.validate().unwrap();
    println!("validate {:.1}", ms(t));
    let t = Instant::now();
    let encoder = Encoder::compile(&spec.model).unwrap();
    println!("compile {:.1}", ms(t));
    drop(encoder);
    let t = Instant::now();
    let table = TokenTable::new(&spec);
    println!("tokens {:.1} {}", ms(t), table.range());
    let t = Instant::now();
    let tok = Tokenizer::new(spec).unwrap();
    println!("tokenizer {:.1}", ms(t));
    let t = Instant::now();
    let image = formats::image::image_of(&tok).unwrap();
    println!("image {:.1} {}", ms(t), image.len());
    let file = std::env::temp_dir().join(format!("lt{}.bukva", std::process::id()));
    std::fs::write(&file, &image).unwrap();
    drop(tok);
    drop(image);
    for _ in 0..3 {
        let t = Instant::now();
        let tok = formats::open(&file, None).unwrap();
        println!("open image {:.1}", ms(t));
        drop(tok);
    }
    std::fs::remove_file(&file).unwrap();
}
