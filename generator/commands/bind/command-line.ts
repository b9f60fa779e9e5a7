import type { TargetOptions } from "../../shared/sessions/target.js";

/** Options whose value is a secret. */
const secret = /(key|token|secret|passw(or)?d|auth|credential)/i;
const hidden = "***";

/** The command line that generates a client, without secrets: headers and variables are reduced to their names. */
export function bindCommandLine(
  options: TargetOptions & {
    readonly revision?: string;
    readonly extensions?: readonly string[];
    readonly out?: string;
  },
): string {
  const { target, server, headers = {}, env = {}, cwd, revision, extensions = [], out } = options;
  const words = [
    ...(server === undefined ? [] : ["--server", server]),
    ...(revision === undefined ? [] : ["--revision", revision]),
    ...Object.keys(headers).flatMap((name) => ["--header", `${name}: ${hidden}`]),
    ...Object.keys(env).flatMap((name) => ["--env", name]),
    ...(cwd === undefined ? [] : ["--cwd", cwd]),
    ...extensions.flatMap((extension) => ["--extension", extension]),
    ...(out === undefined ? [] : ["--out", out]),
  ];
  const [first = "", ...rest] = target;
  const behind = rest.length > 0 ? ["--", first, ...withoutSecrets(rest)] : [withoutCredentials(first)];
  return ["mcpwright", "bind", ...[...words, ...behind].map(quoted)].join(" ");
}

function withoutSecrets(words: readonly string[]): readonly string[] {
  return words.map((word, index) => {
    const [, name] = /^(-{0,2}[\w.-]+)=/.exec(word) ?? [];
    if (name !== undefined && secret.test(name)) return `${name}=${hidden}`;
    const before = words[index - 1] ?? "";
    const isValue = /^--?[\w-]+$/.test(before) && secret.test(before) && !word.startsWith("-");
    return isValue ? hidden : withoutCredentials(word);
  });
}

/** Removes credentials before the host and in the query of a URL. */
function withoutCredentials(word: string): string {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(word) || !URL.canParse(word)) return word;
  const url = new URL(word);
  if (url.username === "" && url.password === "" && url.search === "" && url.hash === "") return word;
  const queries = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=${hidden}`).join("&");
  return `${url.protocol}//${url.host}${url.pathname}${queries === "" ? "" : `?${queries}`}`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./*?&~-]+$/.test(word) && !/[*?&~]/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
