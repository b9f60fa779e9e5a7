import { isObject } from "../../shared/is-object.js";
import { packageRoot } from "../../shared/package-root.js";
import { isNewer } from "../../shared/project/is-newer.js";
import { fetchText } from "../../shared/sources/fetch-text.js";
import { ownPackages } from "../doctor/checks/package-versions.js";
import { dependenciesOf, findInstalled, readProject, versionOf } from "../doctor/project.js";
import { type Answer, joined, nothingNewer, openQuestion } from "./findings.js";

const largestManifest = 1_000_000;

/** Compares the installed packages of mcpwright with the newest ones of a registry. */
export async function findNewestPackages(folder: string, registry: string): Promise<Answer> {
  const project = readProject(folder);
  const ranges = dependenciesOf(project);
  const installed = ownPackages.flatMap((name) => {
    const found = ranges[name] === undefined ? undefined : findInstalled(name, project.folder);
    return found ? [{ name, version: versionOf(found) }] : [];
  });
  const all = installed.length > 0 ? installed : [{ name: "mcpwright", version: packageRoot().version }];
  return joined(await Promise.all(all.map(({ name, version }) => compare(name, version, registry))));
}

async function compare(name: string, ours: string, registry: string): Promise<Answer> {
  const question = `the newest version of ${name}`;
  if (!URL.canParse(registry)) return openQuestion(question, "the address of the registry is not a URL");
  const url = new URL(`${registry.replace(/\/+$/, "")}/${name.replace("/", "%2f")}/latest`);
  const place = `${url.origin}${url.pathname}`;
  try {
    const newest = versionIn(await fetchManifest(url));
    if (newest === undefined) return openQuestion(question, `${place}: the response states no version`);
    if (!isNewer(newest, ours)) return nothingNewer;
    return {
      newer: [{ kind: "package", name, ours, newest, remedy: `npm install ${name}@${newest}` }],
      open: [],
    };
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return openQuestion(question, `${place}: ${error.message}`);
  }
}

/** The version is printed in a command, so nothing but a version is accepted. */
function versionIn(text: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(text);
    const version = isObject(manifest) ? manifest["version"] : undefined;
    return typeof version === "string" && /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}

class Unanswered extends Error {}

function fetchManifest(url: URL): Promise<string> {
  return fetchText(url, {
    maxBytes: largestManifest,
    timeoutMs: 30_000,
    refusesDowngrades: true,
    notFound: (reason) => {
      throw new Unanswered(reason);
    },
    tooLarge: () => {
      throw new Unanswered(`the response has more than ${largestManifest} bytes`);
    },
  });
}
