import { describe, expect, test } from "vitest";
import { absent, exactly } from "../../runtime/src/testing.js";
import { channels, transportSetups, converse, http } from "./transports.js";
import { recordedClient } from "./client.js";
import { everyRevision, R4, R5, speaks, text } from "./messages.js";
import { nodeCount } from "./nodes.js";

const call = (name: string, args: Record<string, unknown> = {}, token?: string | number) => ({
  name,
  arguments: args,
  ...(token !== undefined && { _meta: { progressToken: token } }),
});
const progress = (progressToken: unknown, value: number, more: object = {}) => ({
  method: "notifications/progress",
  params: { progressToken, progress: value, total: 1, ...more },
});
const cancel = (requestId: unknown, more: object = {}) => ({
  "->": { method: "notifications/cancelled", params: { requestId, reason: "enough", ...more } },
});

describe.each(transportSetups)("$name", (carrier) => {
  test.each(everyRevision)("%s: sends increasing progress, and none after the response", (revision) => {
    const { opening, request } = speaks(revision);
    return converse(carrier, "workshop", [
      ...opening,
      { "->": request(1, "tools/call", call("steps", { name: "a" }, "token")) },
      { "<-": progress("token", 0.2, { message: "a 0.2" }) },
      { "<-": progress("token", 0.6) },
      { "->": request(2, "tools/call", call("release", { name: "a" })) },
      { unordered: [{ id: 2 }, progress("token", 1), { id: 1, result: text("a done") }] },
      { silence: 30 },
      { "->": request(3, "tools/call", call("steps", { name: "b" })) },
      { silence: 20 },
      { "->": request(4, "tools/call", call("release", { name: "b" })) },
      { unordered: [{ id: 4 }, { id: 3, result: text("b done") }] },
    ]);
  });

  // A cancellation takes a moment to another node, which may have sent progress before it: test/redis/sessions.test.ts.
  const atOneNode = nodeCount === 1 ? everyRevision : [];
  test.each(atOneNode)("%s: sends nothing after a cancellation, and ignores further ones", (revision) => {
    const { opening, request } = speaks(revision);
    return converse(carrier, "workshop", [
      ...opening,
      { "->": request(1, "tools/call", call("steps", { name: "a" }, 7)) },
      { "<-": progress(7, 0.2) },
      { "<-": progress(7, 0.6) },
      cancel(1),
      cancel(1),
      { silence: 30 },
      { "->": request("1", "tools/call", call("hold", { name: "b" })) },
      // A finished request, an unknown one, an id of another type, a malformed one.
      cancel(1),
      cancel(99),
      cancel(null),
      cancel({}),
      { "->": { method: "notifications/cancelled" } },
      { "->": request(2, "tools/call", call("trail")) },
      { "<-": { id: 2, result: text("") } },
      cancel("1"),
      { "->": request(3, "tools/call", call("trail")) },
      { "<-": { id: 3, result: text("b aborted") } },
      { "->": request(1, "tools/call", call("count")) },
      { "<-": { id: 1, result: text("1"), error: absent } },
      { silence: 20 },
    ]);
  });

  test.each([R4, R5])(
    "%s: a client that aborts a call sends a cancellation, and ignores later messages",
    async (revision) => {
      const { client, recorder, errors } = recordedClient();
      await client.connect(await carrier.server("workshop", { revisions: [revision] }));
      // If a request has a stream of its own, closing the stream cancels the request.
      const closes = carrier === http && revision === R5;
      const seen: number[] = [];
      const controller = new AbortController();
      const calling = client.callTool(call("steps", { name: "a" }), {
        signal: controller.signal,
        onProgress: (one) => {
          seen.push(one.progress);
          if (one.progress === 0.6) controller.abort(new Error("enough"));
        },
      });
      await expect(calling).rejects.toThrow("enough");
      const [sent] = recorder.find("out", "tools/call") as { id: number }[];
      await expect
        .poll(() => recorder.find("out", "notifications/cancelled"))
        .toMatchObject(closes ? [] : [{ params: { requestId: sent?.id, reason: "enough" } }]);
      expect((await client.callTool(call("count"))).content).toEqual(text("1")["content"]);
      expect(seen).toEqual([0.2, 0.6]);
      expect(recorder.find("in", { id: sent?.id })).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  test("returns the client's progress token unchanged", () => {
    const { opening, request } = speaks(R4);
    return converse(carrier, "workshop", [
      ...opening,
      { "->": request(1, "tools/call", call("steps", { name: "a" }, 0)) },
      { "<-": exactly({ jsonrpc: "2.0", ...progress(0, 0.2, { message: "a 0.2" }) }) },
      { "<-": progress(0, 0.6) },
      { "->": request(2, "tools/call", call("steps", { name: "b" }, 1.5)) },
      { "<-": { id: 2, error: { code: -32602 } } },
    ]);
  });
});

// Over HTTP, the client does not read late responses.
describe.each(channels)("$name", (carrier) => {
  test("ignores a late result", async () => {
    const { client, errors } = recordedClient();
    await client.connect(await carrier.fake("answers what was cancelled"));
    const calling = client.callTool({ name: "slow" }, { timeoutMs: 50 });
    await expect(calling).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    expect((await client.callTool({ name: "quick" })).content).toEqual(text("quick")["content"]);
    expect(errors).toEqual([]);
  });
});
