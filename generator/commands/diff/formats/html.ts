import { join } from "node:path";
import { packageRoot } from "../../../shared/package-root.js";
import { createRenderer } from "../../../pipeline/render/render.js";
import {
  categories,
  categoryTexts,
  type DiffCategory,
  type DiffFinding,
  type DiffReport,
  type DiffPlace,
} from "../finding.js";
import { groupFindings, type FindingGroup } from "./group-findings.js";
import { html, joined, link, nothing, sentence, text, type Html } from "./html-fragment.js";
import { placeText, short, summary } from "./text.js";

/** The report as one page that needs nothing else; filters and search work where scripts do. */
export async function htmlReport(report: DiffReport): Promise<string> {
  const render = await createRenderer(join(packageRoot().folder, "templates"));
  const { before, after, findings, counts } = report;
  const present = categories.filter((category) => counts[category] > 0);
  return render("diff/page.html", {
    style: render("diff/style.css", {}),
    script: render("diff/script.js", {}),
    before: text(before.revision),
    after: text(after.revision),
    beforeFile: text(before.file),
    afterFile: text(after.file),
    summary: text(summary(report)),
    total: text(findings.length),
    tiles: joined(present.map((category) => tile(category, counts[category]))),
    boxes: joined(present.map(checkbox)),
    sections: joined(
      present.map((category) =>
        section(
          category,
          findings.filter((finding) => finding.category === category),
        ),
      ),
    ),
    ignored: ignoredSection(report),
  });
}

function tile(category: DiffCategory, count: number): Html {
  return html`<li class="tile ${text(category)}">
    <a href="#${text(category)}"><strong>${text(count)}</strong> <span>${text(category)}</span></a>
    <p>${text(categoryTexts[category])}</p>
  </li> `;
}

function checkbox(category: DiffCategory): Html {
  return html`<label class="${text(category)}"
    ><input type="checkbox" name="category" value="${text(category)}" checked />${text(category)}</label
  > `;
}

/** Categories that need no action are folded. */
const folded: ReadonlySet<DiffCategory> = new Set(["addition"]);

function section(category: DiffCategory, findings: readonly DiffFinding[]): Html {
  const groups = groupFindings(findings).map((group) => groupPart(group, !folded.has(category)));
  return html`<section
    class="category ${text(category)}"
    id="${text(category)}"
    data-category="${text(category)}"
    aria-labelledby="${text(category)}-title"
  >
    <h2 id="${text(category)}-title">
      <span class="badge">${text(category)}</span> <span class="count">${text(findings.length)}</span>
    </h2>
    <p class="meaning">${text(sentenceCase(categoryTexts[category]))}.</p>
    ${joined(groups)}
  </section> `;
}

function groupPart({ rule, purpose, receiver, sender, source, hint, findings }: FindingGroup, open: boolean): Html {
  return html`<details class="group" ${open ? html` open` : nothing}>
    <summary>
      <span class="rule">${text(rule)}</span> <span class="purpose">${text(purpose)}</span>
      <span class="count">${text(findings.length)}</span>
    </summary>
    <dl class="meanings">
      <div>
        <dt>Receiver</dt>
        <dd>${sentence(receiver)}</dd>
      </div>
      <div>
        <dt>Sender</dt>
        <dd>${sentence(sender)}</dd>
      </div>
      <div>
        <dt>Source</dt>
        <dd>${sentence(source)}</dd>
      </div>
      <div class="hint">
        <dt>What to do</dt>
        <dd>${sentence(hint)}</dd>
      </div>
    </dl>
    <ul class="findings">
      ${joined(findings.map(findingPart))}
    </ul>
  </details> `;
}

function findingPart({ message, at, before, after, sentBy }: DiffFinding): Html {
  const sides = sentBy.length === 1 ? html`<span class="side">sent by the ${text(sentBy.join(" "))}</span>` : nothing;
  return html`<li class="finding" data-sent="${text(sentBy.join(" "))}" data-at="${text(at)}">
    <p class="message">${sentence(sentenceCase(message))} ${sides}</p>
    ${state("before", "−", before)}${state("after", "+", after)}
  </li> `;
}

function state(which: "before" | "after", sign: string, point: DiffPlace | undefined): Html {
  if (!point) return nothing;
  const place = placeText(point);
  const where = place === "" ? nothing : html` <span class="place">${text(place)}</span>`;
  const specification = point.link === undefined ? nothing : html` ${link(point.link, html`specification`)}`;
  return html`<div class="state ${text(which)}">
    <span class="sign" aria-hidden="true">${text(sign)}</span><span class="hidden">${text(which)}: </span
    ><code>${text(short(point.text, 240))}</code><span class="where">${where}${specification}</span>
  </div> `;
}

function ignoredSection({ ignored, staleIgnores }: DiffReport): Html {
  if (ignored.length + staleIgnores.length === 0) return nothing;
  const rows = [
    ...ignored.map(({ finding, reason }) => [finding.rule, finding.at, reason] as const),
    ...staleIgnores.map(({ rule, at }) => [rule, at, "Matches no finding: remove this entry."] as const),
  ];
  return html`<section id="ignored">
    <h2>Ignored <span class="count">${text(rows.length)}</span></h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Place</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        ${joined(
          rows.map(
            ([rule, at, reason]) =>
              html`<tr>
                <td><code>${text(rule)}</code></td>
                <td><code>${text(at)}</code></td>
                <td>${text(reason)}</td>
              </tr>`,
          ),
        )}
      </tbody>
    </table>
  </section> `;
}

/** Our sentences begin with a small letter where they are printed after a place. */
function sentenceCase(value: string): string {
  return value.replace(/^[a-z](?=[a-z]* )/, (first) => first.toUpperCase());
}
