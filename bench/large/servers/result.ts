/** The large result. Argument: its name. The content differs from call to call, so that no reply can be cached. */
import type { LargeName } from "../results.js";

const kind = process.argv[2] as LargeName;
export const protocolVersion = "2025-11-25";
export const info = { name: "bench", version: "1.0.0" };

const line = 'The quick brown fox said "jump" over the lazy dog.\n';
const text = line.repeat(Math.ceil(2 ** 20 / line.length)).slice(0, 2 ** 20);
const data = Buffer.from(Array.from({ length: 7_500_000 }, (_, at) => (at * 31) % 251)).toString("base64");

let calls = 0;

export function largeContent() {
  const first = { type: "text" as const, text: `call ${++calls}` };
  return kind === "text"
    ? [first, { type: "text" as const, text }]
    : [first, { type: "image" as const, data, mimeType: "image/png" }];
}
