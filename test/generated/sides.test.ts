import { revisions } from "@mcpwright/protocol";
import { clientSides } from "@mcpwright/protocol/client-sides";
import type { Side } from "@mcpwright/protocol/contract";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { published } from "../support/protocol.js";
import { root } from "../support/typecheck.js";

test("the sides of all revisions, newest first, are those of the revisions' entries", () => {
  const newestFirst = published.toReversed();
  expect(serverSides.map(({ revision }) => revision)).toEqual(revisions.toReversed());
  expect(newestFirst.every(({ entry }, at) => entry.serverSide === (serverSides[at] as Side))).toBe(true);
  expect(newestFirst.every(({ entry }, at) => entry.clientSide === (clientSides[at] as Side))).toBe(true);
  expect([clientSides.length, serverSides.length]).toEqual([revisions.length, revisions.length]);
});

test("their types are as narrow as those of the sides", () => {
  const newest: "2026-07-28" = serverSides[0].revision;
  const oldest: "handshake" = clientSides[4].profile.opening;
  expect([newest, oldest]).toEqual(["2026-07-28", "handshake"]);
});

test.each([
  ["server", "isCallToolRequestParams", "isCallToolResult"],
  ["client", "isCallToolResult", "isCallToolRequestParams"],
])("%s sides come with %s and without %s", async (side, needed, foreign) => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "@mcpwright/protocol/${side}-sides";`, resolveDir: root },
    bundle: true,
    format: "esm",
    write: false,
  });
  const text = outputFiles[0]?.text ?? "";
  const functions = (name: string) => [...text.matchAll(new RegExp(`^function ${name}\\d*\\(`, "gm"))].length;
  expect(functions(needed)).toBe(revisions.length);
  expect(functions(foreign)).toBe(0);
});
