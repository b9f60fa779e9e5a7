import { describe, expect, test } from "vitest";
import { clientSettings, type ServerContext } from "../../../runtime/src/server.js";
import { serverSettings } from "../../../runtime/src/client.js";
import { connectClient, modern, R5, serve } from "../connection/connection-ends.js";
import { rankExtension, rankId } from "./rank-extension.js";

const rows: readonly (readonly [string, object, unknown, number])[] = [
  ["settings", { extensions: { [rankId]: { locale: "de", maxItems: 5 } } }, { locale: "de", maxItems: 5 }, 0],
  ["no settings", { extensions: { [rankId]: {} } }, {}, 0],
  ["another extension", { extensions: { "com.example/other": {} } }, undefined, 0],
  ["no extensions", {}, undefined, 0],
  ["settings of another type", { extensions: { [rankId]: { locale: 5, maxItems: "5" } } }, undefined, 1],
];

describe.each(rows)("of a peer that declares %s", (_, capabilities, expected, reported) => {
  test("the server reads the settings of the client", async () => {
    const seen: unknown[] = [];
    const { wire, errors } = await serve(
      { extensions: [rankExtension] },
      {
        "tools/call": (_params: object, context: ServerContext) => {
          seen.push(clientSettings(rankExtension, context));
          return { content: [] };
        },
      },
    );
    await wire.ask(1, "tools/call", modern({ name: "t" }, capabilities));
    expect(seen).toEqual([expected]);
    expect(errors.map(({ message }) => message)).toEqual(
      Array(reported).fill(`the settings of the client for ${rankId} do not match its schema`),
    );
  });

  test("the client reads the settings of the server", async () => {
    const { client, errors } = await connectClient(R5, { extensions: [rankExtension] }, capabilities);
    expect(serverSettings(rankExtension, client)).toEqual(expected);
    expect(errors.map(({ message }) => message)).toEqual(
      Array(reported).fill(`the settings of the server for ${rankId} do not match its schema`),
    );
    await client.close();
  });
});
