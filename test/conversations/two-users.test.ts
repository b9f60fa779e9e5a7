import { describe, expect, test } from "vitest";
import type { ElicitResult } from "../../runtime/src/authoring.js";
import { UrlElicitationRequiredError } from "../../runtime/src/jsonrpc/errors.js";
import { McpServer } from "../../runtime/src/server.js";
import { recordedClient } from "./client.js";
import { reach } from "./http.js";
import { type SharedOptions, serve } from "./nodes.js";
import { text } from "./servers/setup.js";

/** A server that sends each user to a payment page before it delivers. */
function shop() {
  const paid = new Set<string>();
  /** Completes the payment on a user's page, by the user's name. */
  const pages = new Map<string, (elicitationId: string) => void>();
  const create = (options: SharedOptions): McpServer => {
    const server = new McpServer({ name: "shop", version: "1" }, options);
    server.registerTool("deliver", {}, (ctx) => {
      const who = ctx.client.info?.name ?? "";
      if (paid.has(who)) return text(`delivered to ${who}`);
      pages.set(who, (elicitationId) => {
        if (elicitationId === who) paid.add(who);
        ctx.connection.completeElicitation(elicitationId);
      });
      const url = `https://pay.example/${who}`;
      throw new UrlElicitationRequiredError([{ mode: "url", message: "Pay", url, elicitationId: who }]);
    });
    return server;
  };
  return { create, page: (who: string) => pages.get(who) };
}

/** Ann and Bob, each in a separate session, with the action that each chooses when sent to a page. */
async function users(answers: Readonly<Record<"ann" | "bob", ElicitResult["action"]>>) {
  const { create, page } = shop();
  const served = await serve(create);
  const visit = async (name: "ann" | "bob") => {
    const visited: unknown[] = [];
    const { client, recorder } = recordedClient({ capabilities: { elicitation: { url: {} } }, name });
    client.setRequestHandler("elicitation/create", (params) => {
      visited.push((params as { url?: unknown }).url);
      return { action: answers[name] };
    });
    await client.connect(reach(served), { era: "handshake" });
    return {
      visited,
      deliver: () => client.callTool({ name: "deliver" }),
      completions: () => recorder.find("in", "notifications/elicitation/complete").length,
      calls: () => recorder.find("out", "tools/call").length,
    };
  };
  return { page, ann: await visit("ann"), bob: await visit("bob") };
}

describe("2025-11-25, two sessions of one server over HTTP", () => {
  test("sends completions only to the user's session; repeated and unknown ids have no effect", async () => {
    const { page, ann, bob } = await users({ ann: "accept", bob: "accept" });
    const delivered = { ann: ann.deliver(), bob: bob.deliver() };
    await expect
      .poll(() => [ann.visited, bob.visited])
      .toEqual([["https://pay.example/ann"], ["https://pay.example/bob"]]);
    // They arrive over the session's stream: the call already has its response.
    for (const id of ["unknown", "ann", "ann"]) page("ann")?.(id);
    expect(await delivered.ann).toMatchObject({ content: [{ text: "delivered to ann" }] });
    await expect.poll(ann.completions).toBe(3);
    expect([bob.completions(), ann.calls(), bob.calls()]).toEqual([0, 2, 1]);

    page("bob")?.("bob");
    expect(await delivered.bob).toMatchObject({ content: [{ text: "delivered to bob" }] });
    expect([ann.completions(), bob.completions()]).toEqual([3, 1]);
  });

  test("a completion of one user's id does not end the wait of another user", async () => {
    const { page, ann, bob } = await users({ ann: "accept", bob: "accept" });
    const delivered = ann.deliver();
    bob.deliver().catch(() => undefined); // the connection is closed at the end
    await expect.poll(() => [ann.visited.length, bob.visited.length]).toEqual([1, 1]);
    page("bob")?.("ann");
    await expect.poll(bob.completions).toBe(1);
    expect([ann.calls(), bob.calls()]).toEqual([1, 1]);
    page("ann")?.("ann");
    expect(await delivered).toMatchObject({ content: [{ text: "delivered to ann" }] });
  });

  test.each(["decline", "cancel"] as const)(
    "a user who chooses %s gets the error, and the other one is served",
    async (no) => {
      const { page, ann, bob } = await users({ ann: no, bob: "accept" });
      const delivered = bob.deliver();
      await expect(ann.deliver()).rejects.toMatchObject({
        code: -32042,
        data: { elicitations: [{ elicitationId: "ann" }] },
      });
      await expect.poll(() => bob.visited.length).toBe(1);
      page("bob")?.("bob");
      expect(await delivered).toMatchObject({ content: [{ text: "delivered to bob" }] });
      expect([ann.calls(), ann.completions()]).toEqual([1, 0]);
    },
  );
});
