import { findNewestPackages } from "./newest-packages.js";
import { joined, type NewerItem, type OpenQuestion } from "./findings.js";
import { findPublished, officialList } from "./published-revisions.js";

export interface OutdatedOptions {
  /** A folder of the project. Default: the working directory. */
  readonly folder?: string;
  /** The schema folder of `mcpwright vendor`. Default: `schema` in the working directory. */
  readonly to?: string;
  /** Whether to compare the draft with the newest revision also if no draft is vendored. Default: false. */
  readonly draft?: boolean;
  /** URL of the npm registry. Default: that of npm, if it runs this program; otherwise `https://registry.npmjs.org`. */
  readonly registry?: string;
  /** URL of the list of published revisions, in the format of GitHub's contents API. Default: GitHub. */
  readonly listUrl?: string;
  /** Base URL of the raw files of the specification's repository. Default: GitHub. */
  readonly baseUrl?: string;
  /** Token for GitHub, which allows more requests with one. Sent with the request for the list only. Default: none. */
  readonly token?: string;
}

export interface OutdatedReport {
  /** Whether nothing is newer, and every question has an answer. */
  readonly current: boolean;
  readonly newer: readonly NewerItem[];
  /** What could not be found out. */
  readonly open: readonly OpenQuestion[];
}

/**
 * Finds out whether there are newer revisions, drafts and packages than those of a project, and what they would change. Writes nothing.
 * @throws DiagnosticError pins-malformed
 */
export async function outdated(options: OutdatedOptions = {}): Promise<OutdatedReport> {
  const { folder = process.cwd(), to = "schema", draft = false, listUrl = officialList, baseUrl, token } = options;
  const registry = options.registry ?? process.env["npm_config_registry"] ?? "https://registry.npmjs.org";
  const { newer, open } = joined(
    await Promise.all([findPublished({ to, draft, listUrl, baseUrl, token }), findNewestPackages(folder, registry)]),
  );
  return { current: newer.length === 0 && open.length === 0, newer, open };
}
