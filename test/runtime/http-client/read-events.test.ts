import fc from "fast-check";
import { expect, test } from "vitest";
import { readEvents } from "../../../runtime/src/http-client/read-events.js";

type Told = { readonly data: string } | { readonly id: string } | { readonly retry: number };

/** The events reported for a stream with these chunks. */
async function told(chunks: readonly (string | Uint8Array)[]): Promise<Told[]> {
  const all: Told[] = [];
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
  await readEvents(new Response(body), 2 ** 20, {
    event: ({ data }) => void all.push({ data }),
    id: (id) => void all.push({ id }),
    retry: (retry) => void all.push({ retry }),
  });
  return all;
}

const lastId = (all: readonly Told[]): string | undefined =>
  all.findLast((one): one is { readonly id: string } => "id" in one)?.id;

/** HTML living standard, 9.2.6, in a simple and slow way. */
function byTheBook(text: string): { readonly id: string | undefined; readonly data: readonly string[] } {
  const lines = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");
  let id: string | undefined;
  let next: string | undefined;
  let lastData: string[] = [];
  const data: string[] = [];
  for (const line of lines.slice(0, -1)) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "id" && !value.includes("\0")) next = value;
    if (name === "data") lastData.push(value);
    if (line !== "") continue;
    id = next ?? id;
    if (lastData.length > 0) data.push(lastData.join("\n"));
    lastData = [];
  }
  return { id, data };
}

test.each<[string, string[]]>([
  ["alone", ["id: 5\n\n"]],
  ["cut off before the empty line", ["id: 5\n", "\n"]],
  ["cut in two", ["i", "d: ", "5\n\n"]],
  ["without a space", ["id:5\n\n"]],
  ["with CR LF", ["id: 5\r\n\r\n"]],
  ["with CR LF, cut", ["id: 5\r", "\n\r", "\n"]],
  ["with CR", ["id: 5\r\r"]],
  ["with CR, cut", ["id: 5\r", "\r"]],
  ["before a comment", ["id: 5\n\n:\n\n"]],
  ["before a retry time", ["id: 5\n\nretry: 100\n\n"]],
  ["with a retry time", ["retry: 100\nid: 5", "\n\n"]],
  ["before a name", ["id: 5\nevent: message\n\n"]],
  ["after a name", ["event: message\nid: 5\n\n"]],
  ["with data", ["id: 5\nda", "ta: x\n", "\n"]],
  ["before an event that is not complete", ["id: 5\n\nid: 6\ndata: x\n"]],
  ["before an invalid one", ["id: 5\n\nid: 6\0\n\nidea: 7\n\n"]],
  ["after a byte order mark", ["\ufeffid: 5\n\n"]],
])("an id is kept: %s", async (_name, chunks) => {
  expect(lastId(await told(chunks))).toBe("5");
});

test.each([["id\n\n"], ["id:\n\n"], ["id: \n\n"]])("an id is cleared by %j", async (text) => {
  expect(lastId(await told([`id: 5\n\n${text}`]))).toBe("");
});

test("an id comes after the events up to it, and a stream that ends with CR is read", async () => {
  expect(await told(["id: 1\rdata: a\r\rid: 2\rdata: b\r\r"])).toEqual([{ data: "a" }, { data: "b" }, { id: "2" }]);
});

test("with any chunks, ids and data match the standard", async () => {
  const part = fc.oneof(
    { arbitrary: fc.constantFrom("\n", "\r\n", "\r"), weight: 6 },
    {
      arbitrary: fc.constantFrom("id", "id:", "id: ", "data:", "data: ", "event: message", "retry: 1", ":"),
      weight: 5,
    },
    { arbitrary: fc.constantFrom("5", "a b", " ", "\0", "ä", "𝄞", "idea: x", "x".repeat(5_000)), weight: 3 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 40 }).map((parts) => parts.join("")),
      fc.array(fc.nat(1_000), { maxLength: 8 }),
      async (text, places) => {
        const bytes = new TextEncoder().encode(text);
        const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        const chunks = cuts.slice(1).map((cut, index) => bytes.slice(cuts[index], cut));
        const all = await told(chunks);
        const { id, data } = byTheBook(text);
        expect(all.flatMap((one) => ("data" in one ? [one.data] : []))).toEqual(data);
        // Ids that are too long for headers may be cut off.
        expect(lastId(all)?.slice(0, 2_049)).toBe(id?.slice(0, 2_049));
      },
    ),
    { numRuns: 500 },
  );
});
