import { describe, expect, test } from "vitest";
import { DiagnosticCollector } from "../../../../generator/pipeline/passes/diagnostic-collector.js";
import { readRoles } from "../../../../generator/pipeline/passes/roles.js";
import { resolveReferences } from "../../../../generator/pipeline/passes/scope.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { line } from "../../shared/diagnostics/problems.js";

const messages = `
interface Base { method: string }
interface Ping extends Base { method: "ping" }
interface Call { method: "call" }
interface Done { method: typeof DONE }
const DONE = "done";
interface Renamed extends Call {}
interface Bare { id: string }
`;
const firstLine = messages.split("\n").length;

function roles(text: string): { found: string[]; errors: string[] } {
  const collector = new DiagnosticCollector(true);
  const found = readRoles(resolveReferences(readTypeScript(messages + text, "s.ts"), collector), collector);
  return {
    found: found.map(({ sender, kind, type, method }) => `${sender} ${kind} ${method}: ${type}`),
    errors: collector.errors.map(line),
  };
}

describe("reads the direction from the role unions", () => {
  test.each<[what: string, text: string, expected: string[]]>([
    [
      "with the side and kind of each message",
      "type ClientRequest = Ping; type ServerRequest = Call; type ClientNotification = Done; type ServerNotification = Ping;",
      [
        "client request ping: Ping",
        "server request call: Call",
        "client notification done: Done",
        "server notification ping: Ping",
      ],
    ],
    [
      "in the order of the union",
      "type ClientRequest = Call | Ping;",
      ["client request call: Call", "client request ping: Ping"],
    ],
    ["ignores a message in no union", "type ClientRequest = Ping;", ["client request ping: Ping"]],
    [
      "a message in two unions has both directions",
      "type ClientRequest = Ping; type ServerRequest = Ping;",
      ["client request ping: Ping", "server request ping: Ping"],
    ],
    [
      "through unions of unions",
      "type ClientRequest = Some | Done; type Some = (Ping | Other); type Other = Call;",
      ["client request ping: Ping", "client request call: Call", "client request done: Done"],
    ],
    ["with an inherited method", "type ClientRequest = Renamed;", ["client request call: Renamed"]],
    [
      "of a message that is an object or an intersection",
      'type Sum = Base & { method: "sum" }; type Sub = { method: "sub" }; type ClientRequest = Sum | Sub;',
      ["client request sum: Sum", "client request sub: Sub"],
    ],
    ["with a constant as method", "type ClientRequest = Done;", ["client request done: Done"]],
  ])("%s", (_, text, expected) => expect(roles(text)).toEqual({ found: expected, errors: [] }));

  test("a copy that a printer made of a union's only member is that member", () => {
    expect(roles('interface ServerRequest { method: "call" }')).toEqual({
      found: ["server request call: Call"],
      errors: [],
    });
  });
});

describe("rejects a role union that cannot be dispatched", () => {
  const at = (column: number): string => `s.ts:${firstLine}:${column}`;
  test.each<[what: string, text: string, expected: string]>([
    [
      "a member without a method",
      "type ClientRequest = Ping | Bare;",
      "s.ts:8:11 role-member-not-message: Bare in ClientRequest is not a message: it has no literal `method`",
    ],
    [
      "a member whose method is any string",
      "type ClientRequest = Base;",
      "s.ts:2:11 role-member-not-message: Base in ClientRequest is not a message: it has no literal `method`",
    ],
    [
      "a member without its method",
      'interface Less extends Omit<Ping, "method"> {} type ClientRequest = Less;',
      `${at(11)} role-member-not-message: Less in ClientRequest is not a message: it has no literal \`method\``,
    ],
    [
      "a member that is not an object",
      "type ClientRequest = Ping | string;",
      `${at(6)} role-member-not-message: a member of type primitive in ClientRequest is not a message: it has no literal \`method\``,
    ],
    [
      "an inline member",
      'type ClientRequest = { method: "x" };',
      `${at(6)} role-member-not-message: a member of type object in ClientRequest is not a message: it has no literal \`method\``,
    ],
    [
      "a constant in place of the union",
      'const ClientRequest = "ping";',
      `${at(7)} role-member-not-message: ClientRequest in ClientRequest is not a message: it has no literal \`method\``,
    ],
    [
      "an interface without a method in place of the union",
      "interface ClientRequest {}",
      `${at(11)} role-member-not-message: ClientRequest in ClientRequest is not a message: it has no literal \`method\``,
    ],
    [
      "two members with one method",
      "type ClientRequest = Call | Ping | Renamed;",
      "s.ts:7:11 role-method-repeated: Call and Renamed in ClientRequest have the same method call",
    ],
    [
      "no role union at all",
      "type Requests = Ping;",
      "role-missing: the schema has none of the role unions ClientRequest, ServerRequest, ClientNotification, ServerNotification",
    ],
  ])("%s", (_, text, expected) => expect(roles(text).errors).toEqual([expected]));
});
