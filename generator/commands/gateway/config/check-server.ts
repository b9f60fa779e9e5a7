import { isObject } from "../../../shared/is-object.js";
import { matches, type Report, suggestion } from "./check-type.js";
import { serverType } from "./config-fields.js";
import { fieldNamed, namesOf, unmet } from "./field-types.js";
import { fieldLabel, type Pointer, quoteName } from "./labels.js";

type Members = Readonly<Record<string, unknown>>;

/** Reports fields of a server that contradict each other. Values of a wrong type are ignored here. */
export function checkServer(server: Members, pointer: Pointer, report: Report): void {
  const name = quoteName(pointer.at(-1) ?? "");
  const has = { stdio: Object.hasOwn(server, "command"), http: Object.hasOwn(server, "url") };
  if (has.stdio && has.http) report("gateway-server-ambiguous", { name }, pointer, "name");
  if (!has.stdio && !has.http) {
    const near = Object.keys(server)
      .filter((one) => !fieldNamed(serverType.fields, one))
      .map((one) => suggestion(one, ["command", "url"]))
      .find((one) => one !== undefined);
    const hint = near ?? 'Add "command" for a program that the gateway starts, or "url" for a server that runs.';
    report("gateway-server-incomplete", { name, hint }, pointer, "name");
  }
  if (has.stdio !== has.http) {
    checkTransport(server, has.stdio ? "stdio" : "http", pointer, report);
    for (const field of Object.keys(server)) {
      const { server: kind } = fieldNamed(serverType.fields, field) ?? {};
      if (kind !== undefined && !has[kind])
        report(
          "gateway-field-unfit",
          { field: fieldLabel([...pointer, field]), kind: kinds[kind] },
          [...pointer, field],
          "name",
        );
    }
  }
  if (typeof server["url"] === "string") checkUrl(server["url"], [...pointer, "url"], report);
  if (Object.hasOwn(server, "logIn")) checkLogIn(server, pointer, report);
  if (isObject(server["tools"])) checkRename(server["tools"]["rename"], [...pointer, "tools", "rename"], report);
}

const kinds = { stdio: "with a command", http: "with a url" };

function checkTransport(server: Members, kind: "stdio" | "http", pointer: Pointer, report: Report): void {
  for (const { field } of unmet(serverType, server)) {
    const given = kind === "stdio" ? "command" : "url";
    const names = namesOf(serverType.fields, "type").filter((name) => Object.hasOwn(server, name));
    const values = {
      type: String(server[names[0] ?? ""]),
      name: quoteName(pointer.at(-1) ?? ""),
      wanted: field,
      given,
    };
    report("gateway-type-contradicts", values, [...pointer, names[0] ?? ""]);
  }
}

/** Reports URLs that match the pattern, but are still invalid. References stand for a digit, which is valid in a host and a port. */
function checkUrl(url: string, pointer: Pointer, report: Report): void {
  const type = fieldNamed(serverType.fields, "url")?.type;
  if (type?.kind !== "text" || !type.format || !matches(type.format.pattern, url)) return;
  const filled = url.replace(/\$\{[^}]*\}/g, "1");
  if (url.startsWith("${") || URL.canParse(filled)) return;
  const { expected } = type.format;
  const hint = "Correct the host or the port.";
  report("gateway-field-invalid", { field: fieldLabel(pointer), expected, actual: "", hint }, pointer);
}

/** Reports what would authorize the requests of all users. */
function checkLogIn(server: Members, pointer: Pointer, report: Report): void {
  const headers = isObject(server["headers"]) ? Object.keys(server["headers"]) : [];
  const others = [
    ...(Object.hasOwn(server, "auth") ? [["auth"]] : []),
    ...headers.filter((name) => name.toLowerCase() === "authorization").map((name) => ["headers", name]),
  ];
  for (const other of others) {
    const at = [...pointer, ...other];
    report("gateway-log-in-contradicts", { field: fieldLabel(at) }, at, "name");
  }
}

function checkRename(rename: unknown, pointer: Pointer, report: Report): void {
  if (!isObject(rename)) return;
  const tools = new Map<string, string[]>();
  for (const [from, to] of Object.entries(rename))
    if (typeof to === "string") tools.set(to, [...(tools.get(to) ?? []), from]);
  for (const [name, all] of tools)
    if (all.length > 1)
      report(
        "gateway-rename-collides",
        { field: fieldLabel(pointer), name, tools: all.join(", ") },
        [...pointer, all.at(-1) ?? ""],
        "name",
      );
}
