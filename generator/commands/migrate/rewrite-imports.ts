import {
  type ImportDeclaration,
  Node,
  type SourceFile,
  SyntaxKind,
  type VariableStatement,
  type ExportDeclaration,
  type Identifier,
} from "ts-morph";
import {
  type Edit,
  FileRewriter,
  type NeededImport,
  inserted,
  referencesIn,
  removedStatement,
  replaced,
} from "./file-rewriter.js";
import { namespaceUses } from "./namespace-imports.js";
import { type NameTarget, sectionOf, type Side, targetOf } from "./name-targets.js";
import { resultType } from "./rules/result-types.js";

const official = /^@modelcontextprotocol\/(?:server|client|core|node|express|hono|fastify|server-legacy|sdk)(?:\/|$)/;

/** Whether a specifier names a module of the official SDK. */
export function isOfficialModule(specifier: string): boolean {
  return official.test(specifier);
}

/** A name that a file imports. */
interface ImportedName {
  readonly name: string;
  readonly local: string;
  readonly isType: boolean;
  readonly specifier: string;
}

/** Names with a counterpart come from our modules; the others stay, with a comment. */
export function rewriteImports(file: SourceFile, needed: ReadonlyMap<string, NeededImport>): string {
  const rewriter = new FileRewriter(file, "", new Map());
  const side = sideOf(file);
  const statements = officialStatements(file);
  const wanted = new Map<string, Map<string, boolean>>();
  const want = (from: string, text: string, isType: boolean): void => {
    const names = wanted.get(from) ?? new Map<string, boolean>();
    names.set(text, (names.get(text) ?? true) && isType);
    wanted.set(from, names);
  };
  const isScript = statements.every((one) => !Node.isImportDeclaration(one)) && /\brequire\(/.test(file.getFullText());
  const lines = new Map<Node, string[]>();
  const dropped = droppedArguments(statements, side);
  for (const statement of statements) {
    const kept: ImportedName[] = [];
    for (const { node, ...imported } of namesOf(statement)) {
      const references = referencesIn(file, node).filter(
        (one) => !one.getAncestors().some((around) => isLink(around) || dropped.includes(around)),
      );
      if (references.length === 0 && !isExported(file, imported.local)) continue;
      const target = targetOf(imported.name, side);
      if (!target) {
        kept.push(imported);
        continue;
      }
      const isRenamed =
        target.name !== imported.name &&
        imported.local === imported.name &&
        rewriter.isFree(target.name) &&
        !isExported(file, imported.local);
      const local = isRenamed ? target.name : imported.local;
      want(target.from, nameText(target.name, local, isScript), imported.isType);
      for (const reference of references)
        rewriter.change(referenceEdit(reference, local, target.dropsTypeArguments === true));
    }
    if (kept.length > 0) {
      for (const { name, specifier } of kept)
        rewriter.todo(statement, `${name} has no counterpart`, sectionOf(name, specifier));
      lines.set(statement, [
        printImport(
          file,
          kept[0]?.specifier ?? "",
          new Map(kept.map((one) => [nameText(one.name, one.local, isScript), one.isType])),
          isScript,
        ),
      ]);
    } else lines.set(statement, []);
  }
  const resolved = new Set<Node>();
  for (const statement of file.getImportDeclarations()) {
    if (!isOfficialModule(statement.getModuleSpecifierValue()) || !statement.getNamespaceImport()) continue;
    const uses = namespaceUses(rewriter, statement, side);
    if (!uses) continue;
    resolved.add(statement);
    lines.set(statement, []);
    for (const { node, target, local, isType } of uses) {
      want(target.from, nameText(target.name, local, isScript), isType);
      rewriter.change(replaced(node, local));
    }
  }
  for (const { from, name, isType } of needed.values())
    if (!isImported(file, from, name)) want(from, nameText(name, name, isScript), isType);
  const added = [...wanted].map(([from, names]) => printImport(file, from, names, isScript));
  const [first] = statements;
  const eol = file.getFullText().includes("\r\n") ? "\r\n" : "\n";
  if (first) lines.set(first, [...(lines.get(first) ?? []), ...added]);
  else if (added.length > 0) rewriter.change(inserted(placeOfImports(file), added.map((line) => line + eol).join("")));
  for (const [statement, texts] of lines)
    rewriter.change(texts.length > 0 ? replaced(statement, texts.join(eol)) : removedStatement(statement));
  rewriteOthers(rewriter, side, resolved);
  return rewriter.apply();
}

/** A link in a comment uses no name; a type in one does, in JavaScript. */
function isLink(node: Node): boolean {
  return Node.isJSDocLink(node) || Node.isJSDocLinkCode(node) || Node.isJSDocLinkPlain(node);
}

/** Type arguments that go with the rename of their type. */
function droppedArguments(statements: readonly ImportingStatement[], side: Side): readonly Node[] {
  return statements.flatMap((statement) =>
    [...namesOf(statement)].flatMap(({ name, node }) => {
      if (targetOf(name, side)?.dropsTypeArguments !== true) return [];
      return referencesIn(node.getSourceFile(), node).flatMap((one) => {
        const parent = one.getParent();
        return Node.isTypeReference(parent) ? parent.getTypeArguments() : [];
      });
    }),
  );
}

type ImportingStatement = ImportDeclaration | VariableStatement;

/** Import declarations and `const { … } = require(…)` of official modules, without those that take a whole module. */
function officialStatements(file: SourceFile): readonly ImportingStatement[] {
  return file.getStatements().filter((one): one is ImportingStatement => {
    if (Node.isImportDeclaration(one))
      return (
        isOfficialModule(one.getModuleSpecifierValue()) &&
        !one.getNamespaceImport() &&
        !one.getDefaultImport() &&
        one.getImportClause() !== undefined
      );
    return Node.isVariableStatement(one) && requiredModule(one) !== undefined;
  });
}

function requiredModule(statement: VariableStatement): string | undefined {
  const [declaration, ...others] = statement.getDeclarations();
  if (!declaration || others.length > 0 || !Node.isObjectBindingPattern(declaration.getNameNode())) return undefined;
  const value = declaration.getInitializer();
  const call = Node.isAwaitExpression(value) ? value.getExpression() : value;
  if (!Node.isCallExpression(call) || !/^(?:require|import)$/.test(call.getExpression().getText())) return undefined;
  const [argument] = call.getArguments();
  const specifier = Node.isStringLiteral(argument) ? argument.getLiteralValue() : undefined;
  return specifier !== undefined && isOfficialModule(specifier) && call.getExpression().getText() === "require"
    ? specifier
    : undefined;
}

function* namesOf(statement: ImportingStatement): Iterable<ImportedName & { readonly node: Identifier }> {
  if (Node.isImportDeclaration(statement)) {
    const specifier = statement.getModuleSpecifierValue();
    for (const one of statement.getNamedImports()) {
      const node = one.getAliasNode() ?? one.getNameNode();
      if (Node.isIdentifier(node))
        yield {
          name: one.getName(),
          local: node.getText(),
          isType: one.isTypeOnly() || statement.isTypeOnly(),
          specifier,
          node,
        };
    }
    return;
  }
  const pattern = statement.getDeclarations()[0]?.getNameNode();
  if (!Node.isObjectBindingPattern(pattern)) return;
  for (const element of pattern.getElements()) {
    const node = element.getNameNode();
    const name = element.getPropertyNameNode()?.getText() ?? element.getName();
    if (Node.isIdentifier(node))
      yield { name, local: node.getText(), isType: false, specifier: requiredModule(statement) ?? "", node };
  }
}

function sideOf(file: SourceFile): Side {
  const specifiers = file.getDescendantsOfKind(SyntaxKind.StringLiteral).map((one) => one.getLiteralValue());
  const isClient = specifiers.some((one) =>
    /^@modelcontextprotocol\/(?:client|sdk\/client)|^@mcpwright\/runtime\/client/.test(one),
  );
  const isServer = specifiers.some((one) =>
    /^@modelcontextprotocol\/(?:server|sdk\/server)|^@mcpwright\/runtime\/server/.test(one),
  );
  return isClient && !isServer ? "client" : "server";
}

/** `name as local`, or `name: local` of an object. */
function nameText(name: string, local: string, isScript: boolean): string {
  if (name === local) return name;
  return isScript ? `${name}: ${local}` : `${name} as ${local}`;
}

function printImport(file: SourceFile, from: string, names: ReadonlyMap<string, boolean>, isScript: boolean): string {
  const text = file.getFullText();
  const quote = /^\s*(?:import|const)\b[^;]*?(["'])/m.exec(text)?.[1] ?? '"';
  const end = /^(?:import|const)\b[^;\n]*["')]\s*$/m.test(text) && !/;\s*$/m.test(text) ? "" : ";";
  const specifier = `${quote}${from}${quote}`;
  const isJavaScript = /\.[cm]?jsx?$/.test(file.getFilePath());
  const sorted = [...names].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  if (isScript) return `const { ${sorted.map(([name]) => name).join(", ")} } = require(${specifier})${end}`;
  const [only] = sorted;
  if (sorted.length === 1 && only?.[0].startsWith("default as ") === true)
    return `import ${only[0].slice("default as ".length)} from ${specifier}${end}`;
  const areTypes = !isJavaScript && sorted.every(([, isType]) => isType);
  const list = sorted.map(([name, isType]) => `${isType && !areTypes && !isJavaScript ? "type " : ""}${name}`);
  return `import ${areTypes ? "type " : ""}{ ${list.join(", ")} } from ${specifier}${end}`;
}

function referenceEdit(reference: Node, local: string, dropsTypeArguments: boolean): Edit {
  const parent = reference.getParent();
  if (dropsTypeArguments && Node.isTypeReference(parent)) return replaced(parent, local);
  if (reference.getText() === local) return { start: reference.getStart(), end: reference.getStart(), text: "" };
  if (Node.isShorthandPropertyAssignment(parent)) return replaced(parent, `${reference.getText()}: ${local}`);
  return replaced(reference, local);
}

function isExported(file: SourceFile, local: string): boolean {
  return file
    .getExportDeclarations()
    .some((one) => !one.getModuleSpecifier() && one.getNamedExports().some((item) => item.getName() === local));
}

/** Whether a module's name is imported already. */
function isImported(file: SourceFile, from: string, name: string): boolean {
  const wantedName = name.replace(/^default as /, "");
  return file.getImportDeclarations().some((one) => {
    if (one.getModuleSpecifierValue() !== from) return false;
    if (name.startsWith("default as ")) return one.getDefaultImport()?.getText() === wantedName && !one.isTypeOnly();
    return one.getNamedImports().some((item) => item.getName() === wantedName);
  });
}

function placeOfImports(file: SourceFile): number {
  const statements = file.getStatements();
  const first = statements.find((one) => !isDirective(one));
  const directive = statements.findLast((one) => isDirective(one) && one.getStart() < (first?.getStart() ?? Infinity));
  const lineEnd = directive ? file.getFullText().indexOf("\n", directive.getEnd()) : -1;
  // Behind the line of a directive, which has no effect behind an import; otherwise above the first statement and its comment.
  return lineEnd >= 0 ? lineEnd + 1 : (first?.getStart(true) ?? file.getEnd());
}

/** Whether a statement is a directive, such as "use strict". */
function isDirective(statement: Node): boolean {
  return Node.isExpressionStatement(statement) && Node.isStringLiteral(statement.getExpression());
}

/**
 * Exports from official modules, imports of whole modules, and types that name a module.
 * @param resolved imports of whole modules that are rewritten
 */
function rewriteOthers(rewriter: FileRewriter, side: Side, resolved: ReadonlySet<Node>): void {
  const { file } = rewriter;
  for (const node of file.getDescendants()) {
    if (Node.isImportTypeNode(node)) {
      const argument = node.getArgument().getText().slice(1, -1);
      const name = node.getQualifier()?.getText().split(".")[0];
      if (!isOfficialModule(argument)) continue;
      const target = name === undefined ? undefined : targetOfType(rewriter, name, side);
      const qualifier = node.getQualifier();
      if (target && qualifier)
        rewriter.change(replaced(node.getArgument(), rewriter.string(target.from)), replaced(qualifier, target.name));
      else rewriter.todo(node, `${name ?? "the module"} has no counterpart`, "from-sdk-1x");
    } else if (Node.isExportDeclaration(node) && isOfficialModule(node.getModuleSpecifierValue() ?? ""))
      rewriteExport(rewriter, node, side);
    else if (
      Node.isImportDeclaration(node) &&
      !resolved.has(node) &&
      isOfficialModule(node.getModuleSpecifierValue()) &&
      (node.getNamespaceImport() || node.getDefaultImport())
    )
      rewriter.todo(
        node,
        "import the names one by one, or use the modules of @mcpwright/runtime",
        "change-the-imports",
      );
    else if (Node.isCallExpression(node) && /^(?:import|require)$/.test(node.getExpression().getText())) {
      const [argument] = node.getArguments();
      const statement = node.getFirstAncestorByKind(SyntaxKind.VariableStatement);
      const isRewritten = statement?.getParent() === file && requiredModule(statement) !== undefined;
      if (Node.isStringLiteral(argument) && isOfficialModule(argument.getLiteralValue()) && !isRewritten)
        rewriteDynamic(rewriter, node, argument, side);
    } else if (Node.isStringLiteral(node) && isOfficialModule(node.getLiteralValue()) && !isLoaded(node))
      rewriter.todo(node, "name the modules of @mcpwright/runtime instead", "change-the-imports");
  }
  rewriteDocTypes(rewriter, side);
}

/** Whether a specifier belongs to an import or export that other rewrites know. */
function isLoaded(specifier: Node): boolean {
  const parent = specifier.getParent();
  return (
    Node.isImportDeclaration(parent) ||
    Node.isExportDeclaration(parent) ||
    Node.isLiteralTypeNode(parent) ||
    (Node.isCallExpression(parent) && /^(?:import|require)$/.test(parent.getExpression().getText()))
  );
}

/** One export for each of our modules that has some of the names. */
function rewriteExport(rewriter: FileRewriter, node: ExportDeclaration, side: Side): void {
  const names = node.getNamedExports();
  const modules = new Map<string, string[]>();
  for (const one of names) {
    const target = targetOf(one.getName(), side);
    if (!target) {
      modules.clear();
      break;
    }
    const exported = one.getAliasNode()?.getText() ?? one.getName();
    const text = `${one.isTypeOnly() ? "type " : ""}${nameText(target.name, exported, false)}`;
    modules.set(target.from, [...(modules.get(target.from) ?? []), text]);
  }
  const kind = node.isTypeOnly() ? "export type" : "export";
  const end = node.getText().endsWith(";") ? ";" : "";
  const lines = [...modules].map(
    ([from, list]) => `${kind} { ${list.join(", ")} } from ${rewriter.string(from)}${end}`,
  );
  if (lines.length > 0)
    rewriter.change(replaced(node, lines.join(rewriter.file.getFullText().includes("\r\n") ? "\r\n" : "\n")));
  else rewriter.todo(node, "export these names from the modules of @mcpwright/runtime", "change-the-imports");
}

/** `const { McpServer } = await import("…")`, if one module has all names. */
function rewriteDynamic(rewriter: FileRewriter, call: Node, argument: Node, side: Side): void {
  const awaited = call.getParent();
  const declaration = Node.isAwaitExpression(awaited) ? awaited.getParent() : awaited;
  const pattern = Node.isVariableDeclaration(declaration) ? declaration.getNameNode() : undefined;
  const elements = Node.isObjectBindingPattern(pattern) ? pattern.getElements() : [];
  const targets = elements.map((one) => targetOf(one.getPropertyNameNode()?.getText() ?? one.getName(), side));
  const [first] = targets;
  const isSame = targets.every(
    (one, index) =>
      one !== undefined &&
      one.from === first?.from &&
      one.name === (elements[index]?.getPropertyNameNode()?.getText() ?? elements[index]?.getName()),
  );
  if (first && isSame) rewriter.change(replaced(argument, rewriter.string(first.from)));
  else rewriter.todo(call, "load the modules of @mcpwright/runtime", "change-the-imports");
}

/** The target of a type that is imported where it is used. */
function targetOfType(rewriter: FileRewriter, name: string, side: Side): NameTarget | undefined {
  return resultType(rewriter, name) ?? targetOf(name, side);
}

/** `@type {import("…").Name}` in the doc comments of JavaScript. */
function rewriteDocTypes(rewriter: FileRewriter, side: Side): void {
  const text = rewriter.file.getFullText();
  for (const comment of text.matchAll(/\/\*\*[^]*?\*\//g)) {
    for (const match of comment[0].matchAll(/import\((["'])(@modelcontextprotocol\/[^"']+)\1\)\.(\w+)/g)) {
      const [whole, quote = '"', specifier = "", name = ""] = match;
      const target = isOfficialModule(specifier) ? targetOfType(rewriter, name, side) : undefined;
      if (!target) continue;
      const start = comment.index + match.index;
      rewriter.change({
        start,
        end: start + whole.length,
        text: `import(${quote}${target.from}${quote}).${target.name}`,
      });
    }
  }
}
