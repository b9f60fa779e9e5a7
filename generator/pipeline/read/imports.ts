import { Node, type ExportDeclaration, type ImportDeclaration } from "ts-morph";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { ImportedName } from "../../shared/model/source.js";
import type { Locate } from "./unsupported.js";

/** The names that an import or re-export takes from another file; undefined for other statements. */
export function readImports(node: Node, span: Locate): readonly ImportedName[] | undefined {
  if (Node.isImportDeclaration(node)) return importedNames(node, span);
  if (Node.isExportDeclaration(node)) return reexportedNames(node, span);
  if (Node.isImportEqualsDeclaration(node)) return refuse(node, "import … = …", span);
  return undefined;
}

function importedNames(node: ImportDeclaration, span: Locate): readonly ImportedName[] {
  const [specifier, standard, namespace] = [
    node.getModuleSpecifierValue(),
    node.getDefaultImport(),
    node.getNamespaceImport(),
  ];
  if (standard) return refuse(standard, "a default import", span);
  if (namespace) return refuse(namespace, "a namespace import", span);
  const clause = node.getImportClause();
  if (!clause) return refuse(node, "an import without names", span);
  return node.getNamedImports().map((named) => {
    const name = named.getName();
    if (name === "default") return refuse(named, "a default import", span);
    return { name, local: named.getAliasNode()?.getText() ?? name, specifier, span: span(named) };
  });
}

function reexportedNames(node: ExportDeclaration, span: Locate): readonly ImportedName[] {
  const specifier = node.getModuleSpecifierValue();
  const namespace = node.getNamespaceExport();
  if (namespace) return refuse(namespace, "a namespace export", span);
  const names = node.getNamedExports();
  if (specifier === undefined) {
    // Every declaration can be imported, so a list of exports adds nothing to a file.
    const renamed = names.find((named) => named.getAliasNode());
    return renamed ? refuse(renamed, "an export under another name", span) : [];
  }
  if (!node.hasNamedExports()) return [{ name: "*", local: "*", specifier, reexported: true, span: span(node) }];
  return names.map((named) => {
    const name = named.getName();
    const local = named.getAliasNode()?.getText() ?? name;
    if (name === "default" || local === "default") return refuse(named, "a default export", span);
    return { name, local, specifier, reexported: true, span: span(named) };
  });
}

function refuse(node: Node, construct: string, span: Locate): never {
  return fail("import-unsupported", { construct }, span(node));
}
