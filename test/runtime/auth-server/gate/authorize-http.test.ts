/** An authorization of the user's own rules, at endpoints of two servers. */
import { expect, test } from "vitest";
import { type AuthorizationPolicy, authorizeHttp } from "../../../../runtime/src/auth-server.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { createMcpHandler } from "../../../../runtime/src/server/http.js";
import { FakeAuthorization, sender, withTokens } from "../../http-server/fake-authorization.js";
import { type Host, hosts } from "../../http-server/hosts.js";
import { modern } from "../../http-server/messages.js";
import { text } from "../../http-server/subject.js";

test.each(["publicDocument", "authenticate", "authorize"] satisfies (keyof AuthorizationPolicy)[])(
  "rejects a policy without %s",
  (member) => {
    const { publicPaths } = new FakeAuthorization();
    const policy = {
      publicPaths,
      publicDocument: () => undefined,
      authenticate: () => undefined,
      authorize: () => undefined,
      [member]: undefined,
    };
    expect(() => authorizeHttp(policy as never)).toThrow("pass an AuthorizationPolicy");
  },
);

test("rejects a policy as the option of an endpoint", () => {
  const { publicPaths } = new FakeAuthorization();
  expect(() =>
    createMcpHandler(new McpServer({ name: "a", version: "1" }), { authorization: { publicPaths } as never }),
  ).toThrow();
});

test.each(hosts)("$name: applies the scopes of each endpoint", async ({ open }) => {
  const authorization = authorizeHttp(new FakeAuthorization());
  const start = async (scopes: readonly string[]): Promise<Host> => {
    const server = new McpServer({ name: "scoped", version: "1" });
    server.registerTool("one", { scopes }, () => text("one"));
    return withTokens(await open(server, { authorization }));
  };
  const [read, write] = [await start(["files:read"]), await start(["files:write"])];
  const call = modern(1, "tools/call", { name: "one" }, { principal: sender("ada", "files:read") });
  expect([(await read.send(call)).status, (await write.send(call)).status]).toEqual([200, 403]);
});
