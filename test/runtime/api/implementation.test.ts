import { expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { McpServer, Server } from "../../../runtime/src/server.js";
import { thrown } from "./pair.js";

test.each([
  ["nothing", undefined],
  ["a string", "shop"],
  ["no version", { name: "shop" }],
  ["a version that is a number", { name: "shop", version: 1 }],
  ["no name", { version: "1.0.0" }],
])("rejects %s as the info of a client or server", (_what, info) => {
  for (const party of [Client, McpServer, Server])
    expect(thrown(() => new party(info as never))).toMatchObject({
      code: "INVALID_CONFIGURATION",
      message: 'name and version must be strings: { name: "orders", version: "1.0.0" }',
    });
});
