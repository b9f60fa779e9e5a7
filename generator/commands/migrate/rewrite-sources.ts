import { join, resolve } from "node:path";
import { Project, type SourceFile, ts } from "ts-morph";
import { diagnostic, DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import { doneMark, FileRewriter, type NeededImport } from "./file-rewriter.js";
import type { Source } from "./find-sources.js";
import type { FileChange, Todo } from "./migration-plan.js";
import { officialModules, officialTypes } from "./official-types.js";
import { isOfficialModule, rewriteImports } from "./rewrite-imports.js";
import { rules } from "./rules/index.js";
import { findTodos } from "./todo-comment.js";

/** Rules that wait for each other need a pass each; more passes would mean that a rule matches its own result. */
const maxPasses = 12;

const specifierPattern = /["'](@modelcontextprotocol\/[^"'\s]+)["']/g;

export interface RewrittenSources {
  readonly files: readonly FileChange[];
  readonly todos: readonly Todo[];
  /** Every source, as it is after the rewrite. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Rewrites sources to our API by the rules.
 * @throws DiagnosticError migrate-unparsable for every file that uses the official SDK and is not valid
 */
export function rewriteSources(folder: string, sources: readonly Source[]): RewrittenSources {
  const root = resolve(folder);
  const project = new Project({
    useInMemoryFileSystem: false,
    skipFileDependencyResolution: true,
    skipAddingFilesFromTsConfig: true,
    compilerOptions: {
      allowJs: true,
      noResolve: true,
      types: [],
      lib: ["lib.esnext.d.ts"],
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      strict: true,
      jsx: ts.JsxEmit.Preserve,
      noEmit: true,
    },
  });
  const uses = new Set(sources.flatMap(({ text }) => [...text.matchAll(specifierPattern)].map(([, one = ""]) => one)));
  const specifiers = [...uses].filter(isOfficialModule);
  const typesPath = join(root, ".mcpwright-official-types.d.ts");
  project.createSourceFile(typesPath, officialTypes + officialModules(specifiers), { overwrite: true });
  const files = sources.map((source) => ({
    source,
    file: project.createSourceFile(join(root, source.path), source.text, { overwrite: true }),
    imports: new Map<string, NeededImport>(),
  }));
  assertParsable(project, files);
  const types = project.getSourceFileOrThrow(typesPath).getFilePath();
  for (let pass = 0, isChanged = true; isChanged; pass++) {
    if (pass === maxPasses)
      throw new Error(`a rule changes its own result: ${files.map(({ source }) => source.path).join(", ")}`);
    const results = files.map(({ file, imports }) => {
      const rewriter = new FileRewriter(file, types, imports);
      for (const rule of rules) rule.run(rewriter);
      return rewriter.apply();
    });
    isChanged = false;
    for (const [index, { file }] of files.entries()) {
      const text = results[index] ?? "";
      if (text === file.getFullText()) continue;
      file.replaceWithText(text);
      isChanged = true;
    }
  }
  const texts = new Map(
    files.map(({ source, file, imports }) => [source.path, finish(file, source, imports)] as const),
  );
  const changes = sources.map(({ path, text }) => ({ path, before: text, after: texts.get(path) ?? text }));
  return {
    files: changes.filter(({ before, after }) => before !== after),
    todos: [...texts].flatMap(([path, text]) => findTodos(path, text)),
    texts,
  };
}

interface RewrittenFile {
  readonly source: Source;
  readonly file: SourceFile;
}

function finish(file: SourceFile, source: Source, imports: ReadonlyMap<string, NeededImport>): string {
  const isTouched = file.getFullText() !== source.text || specifierPattern.test(source.text);
  specifierPattern.lastIndex = 0;
  return isTouched ? rewriteImports(file, imports).replaceAll(doneMark, "") : source.text;
}

function assertParsable(project: Project, files: readonly RewrittenFile[]): void {
  const program = project.getProgram();
  const problems = files
    .filter(({ source }) => source.text.includes("@modelcontextprotocol/"))
    .flatMap(({ source, file }) =>
      program
        .getSyntacticDiagnostics(file)
        .slice(0, 1)
        .map((problem) => {
          const { line, column } = file.getLineAndColumnAtPos(problem.getStart());
          const message = problem.getMessageText();
          const reason = typeof message === "string" ? message : message.getMessageText();
          return diagnostic("migrate-unparsable", { reason }, { file: source.path, line, column });
        }),
    );
  if (problems.length > 0) throw new DiagnosticError(problems);
}
