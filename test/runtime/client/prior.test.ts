import { describe, expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import type { DiscoverResult } from "../../../runtime/src/authoring.js";
import { all, clientInfo, clientSide, R4, R5, serverInfo } from "../connection/connection-ends.js";
import { error, result, Wire } from "../connection/wire.js";

const discovered = (supportedVersions: readonly string[] = all): DiscoverResult => ({
  resultType: "complete",
  supportedVersions: [...supportedVersions],
  capabilities: { tools: {} },
  instructions: "Read first",
  ttlMs: 0,
  cacheScope: "private",
  _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
});

/** Connects with a result of an earlier probe. */
function connectWith(prior: unknown, revisions?: readonly string[]) {
  const wire = new Wire();
  const client = new Client(clientInfo, revisions ? { revisions: revisions.map(clientSide) } : {});
  const connected = client.connect(wire, { prior: prior as DiscoverResult });
  return { client, wire, connected };
}

describe("a client that knows the result of a probe", () => {
  test("sends nothing until the first call", async () => {
    const { client, wire, connected } = connectWith(JSON.parse(JSON.stringify(discovered())));
    await connected;
    expect(client.era).toBe("stateless");
    expect(client.getNegotiatedProtocolVersion()).toBe(R5);
    expect(client.getServerVersion()).toEqual(serverInfo);
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect(client.getInstructions()).toBe("Read first");
    expect(client.getDiscoverResult()).toEqual(discovered());
    const called = client.callTool({ name: "t" });
    const { id = "", method } = await wire.next();
    expect(method).toBe("tools/call");
    wire.receive(result(id, { resultType: "complete", content: [] }));
    expect(await called).toMatchObject({ content: [] });
  });

  test("negotiates again when the server no longer has the revision", async () => {
    const { client, wire, connected } = connectWith(discovered());
    await connected;
    const called = client.callTool({ name: "t" });
    wire.receive(error((await wire.next()).id ?? "", -32022, "no", { supported: [R4], requested: R5 }));
    expect(await wire.next()).toMatchObject({ method: "server/discover" });
    await client.close();
    await expect(called).rejects.toThrow();
  });

  test.each([
    ["names only revisions with a handshake", discovered([R4]), undefined, "server/discover"],
    ["names none that this client has without a handshake", discovered(), [R4], "initialize"],
    ["is something else", {}, undefined, "server/discover"],
  ])("asks the server when the result %s", async (_what, prior, revisions, method) => {
    const { client, wire, connected } = connectWith(prior, revisions);
    expect((await wire.next()).method).toBe(method);
    await client.close();
    await expect(connected).rejects.toThrow();
  });

  test("names the members of an incomplete result, and closes the connection", async () => {
    const { client, connected } = connectWith({ supportedVersions: [R5], resultType: "complete" });
    await expect(connected).rejects.toMatchObject({ code: "INVALID_RESULT", message: /capabilities/ });
    expect(client.era).toBeUndefined();
  });

  test("does not connect to a server without a common revision", async () => {
    const { connected } = connectWith(discovered(["2030-01-01"]));
    await expect(connected).rejects.toMatchObject({ code: "NO_COMMON_REVISION" });
  });
});

test("the result of a probe is kept until the connection ends", async () => {
  const { client, connected } = connectWith(discovered());
  expect(client.getDiscoverResult()).toBeUndefined();
  await connected;
  await client.close();
  expect(client.getDiscoverResult()).toBeUndefined();
});
