import { clientSides } from "@mcpwright/protocol/client-sides";
import { describe, expect, onTestFinished, test } from "vitest";
import { Client } from "../../runtime/src/client/core.js";
import { Recorder } from "../../runtime/src/testing.js";
import { transportSetups } from "./transports.js";
import { handshakeEra, R5 } from "./messages.js";

/** A client of all handshake revisions with all capabilities. */
function newestOfItsEra() {
  const recorder = new Recorder();
  let closed = 0;
  const client = new Client(
    { name: "ladder", version: "1" },
    {
      revisions: clientSides.filter(({ revision }) => revision !== R5),
      capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} } },
      trace: recorder.trace,
      onclose: () => closed++,
    },
  );
  onTestFinished(() => client.close());
  return { client, recorder };
}

describe.each(transportSetups)("$name", (carrier) => {
  test.each(handshakeEra)("adopts version %s of a server", async (revision) => {
    const { client } = newestOfItsEra();
    await client.connect(await carrier.fake(`answers ${revision}`));
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect((await client.listTools()).tools).toEqual([]);
  });

  test.each(["answers 2099-01-01", "rejects all but 2099-01-01"])("disconnects from a server that %s", async (fake) => {
    const { client, recorder } = newestOfItsEra();
    await expect(client.connect(await carrier.fake(fake))).rejects.toMatchObject({
      code: "NO_COMMON_REVISION",
      data: { ours: [...handshakeEra].reverse(), theirs: ["2099-01-01"] },
    });
    expect(recorder.find("out", "notifications/initialized")).toEqual([]);
    expect(() => client.connection).toThrow("not connected");
  });
});
