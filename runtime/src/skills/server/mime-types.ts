const known: Readonly<Record<string, string>> = {
  bmp: "image/bmp",
  css: "text/css",
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  gif: "image/gif",
  gz: "application/gzip",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  jsonl: "application/jsonl",
  md: "text/markdown",
  mjs: "text/javascript",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  py: "text/x-python",
  sh: "application/x-sh",
  sql: "application/sql",
  svg: "image/svg+xml",
  toml: "application/toml",
  ts: "text/x-typescript",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  wasm: "application/wasm",
  wav: "audio/wav",
  webp: "image/webp",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip",
};

/** The MIME type of a directory (SEP-2640, directory resources). */
export const directoryMimeType = "inode/directory";

/** The MIME type of a file, by the end of its name; of other files, by whether they are text. */
export function mimeTypeOf(name: string, isText: boolean): string {
  const end = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const type = Object.hasOwn(known, end) ? known[end] : undefined;
  return type ?? (isText ? "text/plain" : "application/octet-stream");
}
