import { constantCase } from "../../../shared/names/case.js";
import { isObject } from "../../../shared/is-object.js";
import type { SecurityScheme } from "./api-model.js";
import { NamePool, snakeCase } from "./names.js";
import { type Located, type OpenApiDocument, own, text } from "./openapi-document.js";

/** Variables with another meaning. */
const reserved = ["API_URL", "API_TIMEOUT_MS", "LOG_LEVEL", "PATH", "HOME", "NODE_OPTIONS"];

/** The ways to log in that the project supports. */
export function readSchemes(document: OpenApiDocument): readonly SecurityScheme[] {
  const components = document.follow(own(document.root, "components"), "#/components");
  const found = components && document.member(components, "securitySchemes");
  const pool = new NamePool(reserved);
  const variable = (name: string, suffix: string): string => {
    const wish = constantCase(snakeCase(name));
    const start = /^[A-Z]/.test(wish) ? wish : `API_${wish}`.replace(/_$/, "");
    const ends = start.endsWith(suffix) || (suffix === "TOKEN" && start.endsWith("KEY"));
    return pool.take(ends ? start : `${start}_${suffix}`, 80);
  };
  return document.members(found).flatMap(([name, scheme]) => {
    const credentials = credentialsOf(name, scheme, document, variable);
    return credentials ? [{ name, description: text(scheme.value["description"]), credentials }] : [];
  });
}

type Variable = (name: string, suffix: string) => string;

function credentialsOf(
  name: string,
  scheme: Located,
  document: OpenApiDocument,
  variable: Variable,
): SecurityScheme["credentials"] | undefined {
  const { value } = scheme;
  const place = value["in"];
  switch (value["type"]) {
    case "apiKey":
      if (place !== "header" && place !== "query" && place !== "cookie") return undefined;
      return { kind: "apiKey", in: place, name: String(value["name"]), variable: variable(name, "KEY") };
    case "http": {
      const kind = String(value["scheme"]).toLowerCase();
      if (kind === "bearer") return { kind, variable: variable(name, "TOKEN") };
      if (kind === "basic") return { kind, user: variable(name, "USER"), password: variable(name, "PASSWORD") };
      return undefined;
    }
    case "oauth2": {
      const flows = document.member(scheme, "flows");
      const flow = flows && document.member(flows, "clientCredentials");
      const tokenUrl = flow && text(flow.value["tokenUrl"]);
      if (flow && tokenUrl !== undefined && URL.canParse(tokenUrl)) {
        const scopes = isObject(flow.value["scopes"]) ? Object.keys(flow.value["scopes"]) : [];
        const [id, secret] = [variable(name, "CLIENT_ID"), variable(name, "CLIENT_SECRET")];
        return { kind: "clientCredentials", id, secret, tokenUrl, scopes };
      }
      return { kind: "bearer", variable: variable(name, "TOKEN") };
    }
    case "openIdConnect":
      return { kind: "bearer", variable: variable(name, "TOKEN") };
    default:
      return undefined;
  }
}

/** The ways to log in for an operation, of the schemes that are supported. */
export function readSecurity(
  document: OpenApiDocument,
  operation: Located,
  schemes: readonly SecurityScheme[],
): readonly (readonly string[])[] {
  const stated = own(operation.value, "security") ?? own(document.root, "security");
  if (!Array.isArray(stated)) return [];
  const known = new Set(schemes.map(({ name }) => name));
  const ways = stated.filter(isObject).map((way) => Object.keys(way));
  return ways.filter((way) => way.every((name) => known.has(name)));
}
