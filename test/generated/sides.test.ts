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
  // Functions are not compared: the bundled list contains copies of the predicates.
  const plain = (sides: readonly Side[]) => JSON.parse(JSON.stringify(sides)) as unknown;
  expect(plain(serverSides)).toEqual(plain(newestFirst.map(({ entry }) => entry.serverSide)));
  expect(plain(clientSides)).toEqual(plain(newestFirst.map(({ entry }) => entry.clientSide)));
  expect([clientSides.length, serverSides.length]).toEqual([revisions.length, revisions.length]);
});

test.each([
  ["server", "clientInfo", "serverInfo"],
  ["client", "serverInfo", "clientInfo"],
])("%s sides contain the check %s for received values, and not %s for sent ones", async (side, needed, foreign) => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "@mcpwright/protocol/${side}-sides";`, resolveDir: root },
    bundle: true,
    format: "esm",
    write: false,
  });
  const text = outputFiles[0]?.text ?? "";
  expect([text.includes(needed), text.includes(foreign)]).toEqual([true, false]);
});
