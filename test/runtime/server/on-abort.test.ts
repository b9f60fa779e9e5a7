import { expect, test } from "vitest";
import { McpServer } from "../../../runtime/src/server.js";
import { connect, info, settled } from "../api/pair.js";

test("all functions that wait for the end of a request are called, also those that are added after it", async () => {
  const server = new McpServer(info);
  const called: string[] = [];
  let late: (() => void) | undefined;
  server.registerTool(
    "wait",
    {},
    (context) =>
      new Promise(() => {
        for (const name of ["first", "second"]) context.onAbort(() => called.push(name));
        late = () => context.onAbort((reason) => called.push((reason as Error).message));
      }),
  );
  const { client } = await connect(server, "2025-11-25");
  const controller = new AbortController();
  const waiting = client.callTool({ name: "wait" }, { signal: controller.signal });
  await expect.poll(() => late).toBeDefined();
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await settled();
  late?.();
  expect(called).toEqual(["first", "second", "enough"]);
});
