import type { Machine } from "../../../shared/hosts/host-paths.js";
import { isObject } from "../../../shared/is-object.js";
import { problem, type Problem } from "../finding.js";
import type { HostServer } from "./host-server.js";

/** Variables that a server needs and does not get. Values are never printed: they may be secrets. */
export function variableProblems({ host, name, path, entry }: HostServer, machine: Machine): readonly Problem[] {
  const { env: variables = process.env } = machine;
  const { variable: reference } = host;
  const server = `${host.title}, server ${JSON.stringify(name)}:`;
  const isMissing = (variable: string): boolean => (variables[variable] ?? "") === "";
  const missing = (variable: string): Problem =>
    problem("warning", `${server} the variable ${variable} is not set`, `set ${variable} where the host starts`, path);
  if (reference && "list" in reference) {
    const listed = entry[reference.list];
    const names = Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : [];
    return names.filter(isMissing).map(missing);
  }
  const values = isObject(entry["env"]) ? Object.entries(entry["env"]) : [];
  return values.flatMap(([variable, value]) => {
    if (typeof value !== "string") return [];
    if (value === "")
      return [problem("warning", `${server} the variable ${variable} is empty`, "write its value, or remove it", path)];
    if (!reference) {
      if (!/^\$\{[\w:]+\}$/.test(value)) return [];
      const message = `${server} ${host.title} does not replace variables, as ${variable} has one`;
      return [problem("warning", message, "write the value itself", path)];
    }
    const [before = "", after = ""] = reference.value.split("NAME");
    return [...value.matchAll(/\$\{[^}]*\}/g)]
      .map(([text]) => text)
      .filter((text) => text.startsWith(before) && text.endsWith(after))
      .map((text) => text.slice(before.length, -after.length))
      .filter((one) => /^\w+$/.test(one) && isMissing(one))
      .map(missing);
  });
}
