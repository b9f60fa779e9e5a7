import { UriTemplate } from "../../uri-template.js";

interface Entry {
  readonly template: string;
  /** The start of the template that is text without encoding. URIs begin with it, up to their first encoded character. */
  readonly start: string;
  /** Null if the template is invalid. Compiled when a URI has its start. */
  compiled?: UriTemplate | null;
}

/** The URI templates of several servers. */
export class TemplateIndex {
  readonly #byServer = new Map<string, Entry[]>();

  add(server: string, template: string): void {
    const [start = ""] = /^[\w.~:/?#[\]@!$&'()*+,;=-]*/.exec(template) ?? [];
    const entries = this.#byServer.get(server);
    if (entries) entries.push({ template, start });
    else this.#byServer.set(server, [{ template, start }]);
  }

  /** Whether a template of the server matches the URI. */
  matches(server: string, uri: string): boolean {
    return this.#byServer.get(server)?.some((entry) => matchesEntry(entry, uri)) ?? false;
  }

  /** The server whose templates match the URI; undefined if there is none, or more than one. */
  onlyServer(uri: string): string | undefined {
    let only: string | undefined;
    for (const [server, entries] of this.#byServer) {
      if (!entries.some((entry) => matchesEntry(entry, uri))) continue;
      if (only !== undefined) return undefined;
      only = server;
    }
    return only;
  }
}

function matchesEntry(entry: Entry, uri: string): boolean {
  const { start, template } = entry;
  const encoded = uri.indexOf("%");
  if (!uri.startsWith(encoded < 0 ? start : start.slice(0, encoded))) return false;
  if (entry.compiled === undefined) entry.compiled = compile(template);
  return entry.compiled !== null && entry.compiled.match(uri) !== null;
}

/** Invalid templates stay in the list, as without a gateway; no URI matches them. */
function compile(template: string): UriTemplate | null {
  try {
    return new UriTemplate(template);
  } catch {
    return null;
  }
}

/**
 * The template with numbers for its variable names: templates of one shape match the same URIs. Variables that their URIs
 * contain, as in `{?page}`, keep their names.
 */
export function templateShape(template: string): string {
  const numbers = new Map<string, number>();
  const rename = (variable: string): string => {
    const end = variable.search(/[*:]/);
    const name = end < 0 ? variable : variable.slice(0, end);
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return `${number}${variable.slice(name.length)}`;
  };
  return template.replace(/\{([+#./]?)([^{}?&;][^{}]*)\}/g, (_, operator: string, variables: string) => {
    return `{${operator}${variables.split(",").map(rename).join(",")}}`;
  });
}
