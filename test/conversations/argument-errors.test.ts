import { describe, expect, test } from "vitest";
import { absent, any, exactly } from "../../runtime/src/testing.js";
import { transportSetups, converse } from "./transports.js";
import { recordedClient } from "./client.js";
import { everyRevision, R1, R2, R4, R5, speaks, text } from "./messages.js";

const weather = (state: unknown) => ({ name: "weather", arguments: { state } });

describe.each(transportSetups)("$name", (carrier) => {
  test.each(everyRevision)("%s: reports errors in the arguments of a call", (revision) => {
    const { opening, request } = speaks(revision);
    const message = /Invalid arguments for tool weather: .*state/;
    const forTheModel = { result: { isError: true, content: [{ type: "text", text: message }] }, error: absent };
    const forTheHost = { error: { code: -32602, message }, result: absent };
    const modern = revision === R4 || revision === R5;
    return converse(carrier, "workshop", [
      ...opening,
      { "->": request(1, "tools/call", { name: "weather", arguments: {} }) },
      { "<-": { id: 1, ...(modern ? forTheModel : forTheHost) } },
      { "->": request(2, "tools/call", weather("XX")) },
      { "<-": { id: 2, result: { ...text("There is no state XX"), isError: true } } },
      { "->": request(3, "tools/call", {}) },
      { "<-": { id: 3, error: { code: -32602 } } },
      { "->": request(4, "tools/call", { name: "whether" }) },
      { "<-": { id: 4, error: { code: -32602, message: "Unknown tool: whether" } } },
      { "->": request(5, "tools/call", weather("bad")) },
      { "<-": { id: 5, result: absent, error: { code: -32603, message: "Internal error" } } },
      { "->": request(6, "tools/call", weather("sorry")) },
      { "<-": { id: 6, result: { ...text("The station is down"), isError: true, structuredContent: absent } } },
      { "->": request(7, "tools/call", { name: "__proto__" }) },
      { "<-": { id: 7, error: { code: -32602 } } },
      { "->": request("alerts", "tools/call", { name: "get-alerts", arguments: { state: "CAL" } }) },
      {
        "<-": {
          id: "alerts",
          ...(modern ? { result: { isError: true, content: [{ text: /state/ }] } } : { error: { code: -32602 } }),
        },
      },
      { "->": request(9, "tools/call", { name: "get-alerts", arguments: { state: "CA" } }) },
      { "<-": { id: 9, result: text("No active alerts for CA") } },
      { "->": request(8, "tools/call") },
      { "<-": { id: 8, error: { code: -32602 } } },
    ]);
  });

  test.each(everyRevision)("%s: sends structured content only in revisions that have it", (revision) => {
    const { opening, request } = speaks(revision);
    const old = revision === R1 || revision === R2;
    return converse(carrier, "workshop", [
      ...opening,
      { "->": request(1, "tools/call", weather("CA")) },
      {
        "<-": {
          id: 1,
          result: { isError: absent, structuredContent: old ? absent : exactly({ temperature: 20 }), content: any() },
        },
      },
    ]);
  });

  test("the client accepts a tool error that does not match the output schema", async () => {
    const { client } = recordedClient();
    await client.connect(await carrier.server("workshop"));
    await client.listTools();
    await expect(client.callTool(weather("sorry"))).resolves.toMatchObject({ isError: true });
    await expect(client.callTool(weather("bad"))).rejects.toMatchObject({ code: -32603 });
  });
});
