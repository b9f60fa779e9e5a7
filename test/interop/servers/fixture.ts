import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

/** The parts that all fixture servers share. */
export const info = { name: "fixture", version: "1.0.0" } as const;
export const instructions = "Try everything.";

export const input = {
  add: z.object({ a: z.number(), b: z.number() }),
  sum: z.object({ sum: z.number() }),
  count: z.object({ to: z.number(), key: z.string() }),
  progress: z.object({ key: z.string(), progress: z.number() }),
  key: z.object({ key: z.string() }),
  year: z.object({ year: z.number() }),
  nothing: z.object({}),
  name: z.object({ name: z.string() }),
  route: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }),
};

/** One black pixel. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

export const show = {
  text: { type: "text" as const, text: "Look" },
  image: { type: "image" as const, data: png, mimeType: "image/png" },
  resource: { uri: "note://counter", mimeType: "text/plain", text: "A counter" },
};

export const resources = [
  { name: "counter", uri: "note://counter", mimeType: "text/plain", text: "A counter" },
  { name: "blob", uri: "note://blob", mimeType: "application/octet-stream", blob: "AAEC" },
  { name: "third", uri: "note://third", mimeType: "text/plain", text: "A third" },
] as const;

export const template = "memo://{name}";

export const names = ["Ada", "Alan", "Grace"] as const;
export const memos = ["hello", "world"] as const;

export function startingWith(values: readonly string[], start: string): string[] {
  return values.filter((value) => value.startsWith(start));
}

export const question = {
  message: "Who are you?",
  requestedSchema: {
    type: "object" as const,
    properties: { name: { type: "string" as const } },
    required: ["name"],
  },
};

/** A question that sends the user to a page. */
export const visit = { message: "Visit the page", url: "http://127.0.0.1/visit" };

export const prompt = {
  messages: [{ role: "user" as const, content: { type: "text" as const, text: "Think" } }],
  maxTokens: 10,
};

const { INTEROP_FOLDER: folder } = process.env;

/** What calls of tools know of each other, by key: in a folder, so that calls in several processes do. Without one, in memory. */
const notes = new Map<string, string>();

function note(key: string, text: string): void {
  if (folder === undefined) notes.set(key, text);
  else writeFileSync(join(folder, `note-${key}`), text);
}

function noted(key: string): string | undefined {
  if (folder === undefined) return notes.get(key);
  const path = join(folder, `note-${key}`);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function forget(key: string): void {
  if (folder === undefined) notes.delete(key);
  else rmSync(join(folder, `note-${key}`), { force: true });
}

/** Longer than any client waits for a response. */
const waitMs = 30_000;

/** Waits until the client has called `hear`, which can be before this call. Without a key, it does not wait at all. */
export async function untilHeard(key: string, progress: number): Promise<void> {
  if (key === "") return;
  const name = `${key}-${progress}`;
  for (const end = performance.now() + waitMs; noted(name) === undefined && performance.now() < end;) await sleep(5);
  forget(name);
}

export function hear(key: string, progress: number): string {
  note(`${key}-${progress}`, "heard");
  return "heard";
}

/** The state of a call of `wait`. */
export function fateOf(key: string): string {
  return noted(key) ?? "unknown";
}

export function untilAborted(key: string, signal: AbortSignal): Promise<void> {
  note(key, "waiting");
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => {
      note(key, "aborted");
      resolve();
    }),
  );
}

export function said(text: string): { content: [{ type: "text"; text: string }] } {
  return { content: [{ type: "text", text }] };
}

export function heard({ content }: { readonly content: unknown }): string {
  return `The model said ${(([content] as unknown[]).flat()[0] as { text?: string } | undefined)?.text ?? ""}`;
}

export function known({ action, content }: { readonly action: string; readonly content?: unknown }): string {
  return action === "accept" ? `The user is ${String((content as { name?: unknown } | undefined)?.name)}` : action;
}

export function visited({ action }: { readonly action: string }): string {
  return `The visit: ${action}`;
}

export function listed(roots: readonly { readonly uri: string }[]): string {
  return `The roots are ${roots.map(({ uri }) => uri).join(", ")}`;
}

/** The offset of a page of two items. @throws Error for an invalid cursor */
export function pageOf<T>(all: readonly T[], cursor: string | undefined): { items: T[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(start)) throw new Error("invalid cursor");
  const end = start + 2;
  return { items: all.slice(start, end), ...(end < all.length && { nextCursor: String(end) }) };
}
