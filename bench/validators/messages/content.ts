import { icon, type Json } from "./envelope.js";

const paragraph =
  'The order was placed on Monday and left the warehouse the next day.\nIts "tracking" number is 1Z 999 AA1 01 2345 6784; ' +
  "the carrier expects to deliver it before noon, and a signature is needed. – Größe: M";
const base64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAA".repeat(4);

const blocks: readonly ((index: number) => Json)[] = [
  (index) => ({ type: "text", text: `${index}. ${paragraph}` }),
  (index) => ({ type: "text", text: `${index}. ${paragraph}`, annotations: { audience: ["user"], priority: 0.75 } }),
  () => ({ type: "image", data: base64, mimeType: "image/png" }),
  () => ({ type: "audio", data: base64, mimeType: "audio/wav", annotations: { lastModified: "2026-07-28T10:00:00Z" } }),
  (index) => ({
    type: "resource_link",
    uri: `file:///project/src/module-${index}.ts`,
    name: `module-${index}.ts`,
    title: "A module",
    mimeType: "text/x-typescript",
    size: 1024 * index,
    icons: [icon],
  }),
  (index) => ({ type: "text", text: `${index}. ${paragraph}`, _meta: { "com.example/page": index } }),
  (index) => ({
    type: "resource",
    resource: { uri: `file:///project/notes/${index}.md`, mimeType: "text/markdown", text: paragraph },
  }),
  (index) => ({ type: "resource", resource: { uri: `file:///project/images/${index}.png`, blob: base64 } }),
];

/** All kinds of content; the index selects the first one. */
export function contentBlocks(index: number, count: number): readonly Json[] {
  return Array.from({ length: count }, (_, position) => {
    const block = blocks[(index + position) % blocks.length];
    return block ? block(position) : {};
  });
}

/** A text block of the size that is common in chats. */
export function textBlock(index: number): Json {
  return { type: "text", text: `${index}. ${paragraph}` };
}
