// warc.mjs -- see warc beside it: serves a site, has it crawled, reads the archive with warcio.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { spawn } from "node:child_process";
import { gzipSync } from "node:zlib";
import { WARCParser } from "warcio";

const text = (n) => `<title>${n}</title>` + `page ${n} `.repeat(2000);
const binary = Buffer.from(Array.from({ length: 70000 }, (_, i) => (i * 7919) & 255));

// path: [status, headers, body pieces]; without Content-Length node sends chunks
const whole = (body, headers = {}) => [200, { "Content-Length": Buffer.byteLength(body), ...headers }, [body]];
const html = { "Content-Type": "text/html" };
const zipped = gzipSync(text("gzip"));
const pages = {
  "/plain": whole(text("plain"), html),
  "/chunked": [200, html, [text("chunked").slice(0, 100), text("chunked").slice(100)]],
  "/gzip": whole(zipped, { ...html, "Content-Encoding": "gzip" }),
  "/gzip-chunked": [200, { ...html, "Content-Encoding": "gzip" }, [zipped.subarray(0, 50), zipped.subarray(50)]],
  "/binary": whole(binary, { "Content-Type": "application/octet-stream" }),
  "/empty": whole("", html),
  "/copy-a": whole(text("copy"), html),
  "/copy-b": [200, html, [text("copy")]],
  "/missing": [404, { ...html, "Content-Length": 4 }, ["gone"]],
  "/broken": [200, { ...html, "Content-Length": 1000 }, ["only this"]],
};
pages["/"] = whole(Object.keys(pages).concat("/moved").map((p) => `<a href="${p}">x</a>`).join(""), html);
pages["/moved"] = [302, { Location: "/target", "Content-Length": 5 }, ["moved"]];
pages["/target"] = whole(text("target"), html);
pages["/robots.txt"] = [404, { "Content-Length": 0 }, []];

let passed = 0, failed = 0;
const expect = (ok, what) => {
  ok ? passed++ : (failed++, console.log("not as it should be: " + what));
};
const base32 = (bytes) => {
  let bits = "", out = "";
  for (const b of bytes) bits += b.toString(2).padStart(8, "0");
  for (let i = 0; i < bits.length; i += 5) out += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[parseInt(bits.slice(i, i + 5), 2)];
  return "sha1:" + out;
};
const sha1 = (bytes) => base32(createHash("sha1").update(bytes).digest());

const server = createServer((q, a) => {
  const [status, headers, pieces] = pages[q.url] ?? [404, { "Content-Length": 0 }, []];
  a.writeHead(status, headers);
  for (const piece of pieces) a.write(piece);
  q.url === "/broken" ? setTimeout(() => a.destroy(), 50) : a.end();
});
await new Promise((r) => server.listen(0, "127.0.0.1", r));
const root = `http://127.0.0.1:${server.address().port}`;

// Two runs, the second appending; the site must be crawled from another process than this one's.
for (const args of [["-o", "out.warc.gz"], ["-o", "out.warc.gz", "--append"]]) {
  const done = await new Promise((r) =>
    spawn(process.env.WEFT, ["crawl", root + "/", "-q", "--retries", "0", ...args], { stdio: "inherit" }).on("exit", r));
  expect(done === 0, `weft ends with ${done}`);
}
server.close();

// first the blocks as they are, then as HTTP
for await (const record of new WARCParser(createReadStream("out.warc.gz"), { parseHttp: false })) {
  const what = record.warcType + " " + record.warcTargetURI;
  const block = Buffer.from(await record.readFully(false));
  expect(record.warcHeaders.statusline === "WARC/1.1", `version of ${what}`);
  expect(Number(record.warcContentLength) === block.length, `length of ${what}`);
  expect(record.warcBlockDigest === sha1(block), `block digest of ${what}`);
}
const seen = new Map();
for await (const record of new WARCParser(createReadStream("out.warc.gz"))) {
  const path = (record.warcTargetURI ?? "").replace(root, "");
  await record.readFully(false);
  seen.set(record.warcType + " " + path, [...(seen.get(record.warcType + " " + path) ?? []), { record }]);
}
const get = (key) => seen.get(key) ?? [];
expect(get("warcinfo ").length === 2, "two runs");
for (const [path, [status, , pieces]] of Object.entries(pages)) {
  if (path === "/robots.txt") continue;
  const payload = Buffer.concat(pieces.map((p) => Buffer.from(p)));
  const answers = [...get("response " + path), ...get("revisit " + path)];
  expect(answers.length === 2, `${answers.length} answers of ${path}`);
  expect(get("request " + path).length === 2, `requests for ${path}`);
  for (const { record } of answers) {
    expect(record.httpHeaders.statusCode === status, `status of ${path}`);
    const cut = path === "/broken" ? "disconnect" : record.warcType === "revisit" ? "length" : null;
    expect((record.warcHeader("WARC-Truncated") ?? null) === cut, `truncation of ${path}`);
    expect(record.warcPayloadDigest === sha1(payload), `payload digest of ${path}`);
    if (record.warcType === "response" && path !== "/broken") {
      const decoded = Buffer.from(await record.readFully(true));
      const want = path.startsWith("/gzip") ? Buffer.from(text("gzip")) : payload;
      expect(decoded.equals(want), `content of ${path}: ${decoded.length} and not ${want.length} bytes`);
    }
  }
}
const copies = [...get("revisit /copy-a"), ...get("revisit /copy-b")];
expect(copies.length === 2, "a copy in each run is a revisit");
for (const { record } of copies) {
  const originals = [...get("response /copy-a"), ...get("response /copy-b")].map((o) => o.record);
  const original = originals.find((o) => o.warcHeader("WARC-Record-ID") === record.warcHeader("WARC-Refers-To"));
  expect(original && record.warcRefersToTargetURI === original.warcTargetURI && record.warcRefersToDate === original.warcDate, "what a revisit refers to");
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
