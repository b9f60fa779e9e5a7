/** The Dockerfile and the Kubernetes manifests of `examples/cluster/` are what Docker and Kubernetes accept. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import type { IDeployment } from "kubernetes-models/apps/v1/Deployment";
import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import type { IService } from "kubernetes-models/v1/Service";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { root } from "../cli/command-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { compile } from "./compile.js";

const example = join(root, "examples/cluster");

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Duplicate keys and other mistakes of YAML are errors. */
function read(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(join(example, "kubernetes", file), "utf8"), { strict: true }).map(
    (document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Manifest;
    },
  );
}

const files = readdirSync(join(example, "kubernetes"));
const manifests = files.flatMap(read);
const rows = manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const);

function find<Kind extends Manifest>(kind: Kind["kind"], name: string): Kind {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found as Kind;
}

/** The module of a kind, such as `apps/v1/Deployment`. */
const moduleOf = ({ apiVersion, kind }: Manifest): string => `kubernetes-models/${apiVersion}/${kind}`;

test("Docker finds nothing to complain about in the Dockerfile", () => {
  const complaints = (text: string) => validate(text).map(({ message }) => message);
  expect(complaints(readFileSync(join(example, "Dockerfile"), "utf8"))).toEqual([]);
  expect(complaints("FROM node:22-slim\nUSRE node\n")).toEqual(["Unknown instruction: USRE"]);
});

describe("manifests", () => {
  type Model = new (data: unknown) => { validate(): void };
  const validated = async (manifest: Manifest): Promise<void> => {
    const module = (await import(moduleOf(manifest))) as Readonly<Record<string, Model>>;
    const Kind = module[manifest.kind];
    if (!Kind) throw new Error(`unknown kind ${manifest.kind}`);
    new Kind(manifest).validate();
  };

  test.each(rows)("%s has the values that the schema of Kubernetes allows", async (_, manifest) => {
    await validated(manifest);
  });

  test("values that it does not allow are found", async () => {
    const deployment = { ...find<Manifest & IDeployment>("Deployment", "mcp-node"), spec: { replicas: "3" } };
    await expect(validated(deployment)).rejects.toThrow("replicas");
  });

  test("they have no members that Kubernetes does not know", { timeout: 120_000 }, async () => {
    const folder = temporaryFolder("manifests");
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    symlinkSync(join(root, "node_modules/kubernetes-models"), join(folder, "node_modules/kubernetes-models"));
    const write = (all: readonly Manifest[]): void => {
      for (const [at, manifest] of all.entries())
        writeFileSync(
          join(folder, `${at}.ts`),
          `import type { I${manifest.kind} as Kind } from "${moduleOf(manifest)}";\n` +
            `export const manifest: Kind = ${JSON.stringify(manifest)};\n`,
        );
    };
    write(manifests);
    expect(await compile(folder, "nodenext", [], { skipLibCheck: true })).toBe("");
    const { spec, ...others } = find<Manifest & IService>("Service", "mcp");
    write([{ ...others, spec: { ...spec, sesionAffinity: "None" } } as Manifest]);
    expect(await compile(folder, "nodenext", [], { skipLibCheck: true })).toContain("sesionAffinity");
  });
});

test("a rolling update loses no request: the nodes are ready before they serve, and have time to stop", () => {
  const { spec } = find<Manifest & IDeployment>("Deployment", "mcp-node");
  const service = find<Manifest & IService>("Service", "mcp");
  const budget = find<Manifest & IPodDisruptionBudget>("PodDisruptionBudget", "mcp-node");
  const [container] = spec?.template.spec?.containers ?? [];
  const grace = Number(
    /graceMs: ([\d_]+)/.exec(readFileSync(join(example, "node.ts"), "utf8"))?.[1]?.replaceAll("_", ""),
  );
  const sleep = Number(container?.lifecycle?.preStop?.exec?.command?.[1]);
  expect(spec?.strategy?.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  expect(spec?.template.spec?.terminationGracePeriodSeconds).toBeGreaterThan(sleep + grace / 1_000 + 5);
  expect(container?.readinessProbe?.httpGet?.path).toBe("/readyz");
  expect(container?.livenessProbe?.httpGet?.path).toBe("/healthz");
  const labels = spec?.template.metadata?.labels;
  expect([spec?.selector.matchLabels, service.spec?.selector, budget.spec?.selector?.matchLabels]).toEqual([
    labels,
    labels,
    labels,
  ]);
  expect(service.spec?.sessionAffinity).toBe("None");
  expect(Number(budget.spec?.minAvailable)).toBeLessThan(spec?.replicas ?? 0);
});
