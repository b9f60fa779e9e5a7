/** The style sheet of the page. */
export const pageStyle = `:root {
  color-scheme: light dark;
  --line: light-dark(#d9dce1, #3a3f47);
  --soft: light-dark(#f4f5f7, #22262c);
  --quiet: light-dark(#5b6370, #a2abb8);
  --accent: light-dark(#0b57d0, #8ab4f8);
  --bad: light-dark(#b3261e, #ff8f85);
  --bad-soft: light-dark(#fdecea, #43201d);
  --warn: light-dark(#8a5300, #f2b65a);
  --good: light-dark(#196c2e, #7fd396);
  font: 15px/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; height: 100dvh; display: flex; flex-direction: column; background: light-dark(#fff, #16191d); color: light-dark(#1c1f24, #e6e8eb); }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1rem; padding: 0.75rem 1.25rem; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
h1 span { font-weight: 400; color: var(--quiet); }
h2 { font-size: 1rem; margin: 0 0 0.5rem; }
header p { margin: 0; color: var(--quiet); overflow-wrap: anywhere; }
header p::before { content: ""; display: inline-block; width: 0.6rem; height: 0.6rem; margin-inline-end: 0.5rem; border-radius: 50%; background: var(--warn); }
header p.connected::before { background: var(--good); }
header p.failed::before { background: var(--bad); }
#offline, #problems { margin: 0; max-height: 30vh; overflow-y: auto; padding: 0.5rem 1.25rem; background: var(--bad-soft); color: var(--bad); white-space: pre-wrap; overflow-wrap: anywhere; list-style: none; }
main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); grid-template-rows: minmax(0, 1fr); gap: 1.5rem; padding: 0 1.25rem; }
main > * { padding: 1.25rem 0; }
main > div { overflow-y: auto; padding-inline: 3px; }
button, input, select, textarea { font: inherit; color: inherit; border: 1px solid light-dark(#9aa2ad, #626b77); border-radius: 6px; background: light-dark(#fff, #1d2126); padding: 0.3rem 0.6rem; max-width: 100%; }
button { cursor: pointer; background: var(--soft); }
button.main { background: var(--accent); border-color: var(--accent); color: light-dark(#fff, #10233f); font-weight: 600; }
button:disabled { opacity: 0.5; cursor: default; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
a { color: var(--accent); }
pre, code, textarea.code { font: 13px/1.5 ui-monospace, monospace; }
pre { margin: 0.25rem 0; padding: 0.5rem 0.75rem; background: var(--soft); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto; }
[role=tablist] { display: flex; gap: 0.25rem; border-bottom: 1px solid var(--line); margin-bottom: 0.5rem; }
[role=tab] { border: 0; border-radius: 0; background: none; border-bottom: 2px solid transparent; padding: 0.4rem 0.75rem; }
[role=tab][aria-selected=true] { border-color: var(--accent); font-weight: 600; }
.item { border: 1px solid var(--line); border-radius: 8px; margin-bottom: 0.5rem; }
.item > summary { padding: 0.5rem 0.75rem; cursor: pointer; overflow-wrap: anywhere; }
.item > summary > b { margin-inline-end: 0.5rem; }
.item > summary > span { color: var(--quiet); }
.item > .body { padding: 0.25rem 0.75rem 0.75rem; }
.item p { margin: 0.25rem 0 0.5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.quiet, .hint { color: var(--quiet); }
.hint { font-size: 0.85rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.badge { display: inline-block; font-size: 0.75rem; padding: 0 0.4rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--quiet); margin-inline-end: 0.25rem; }
.field { margin-bottom: 0.75rem; }
.field > label, legend { display: block; font-weight: 600; overflow-wrap: anywhere; }
.field input, .field select, .field textarea { width: 100%; }
.field label.choice { display: block; font-weight: 400; }
.field label.choice input { width: auto; }
fieldset { border: 1px solid var(--line); border-radius: 6px; margin: 0 0 0.75rem; padding: 0.25rem 0.75rem 0; min-width: 0; }
textarea { field-sizing: content; min-height: 2.2rem; max-height: 20rem; resize: vertical; }
textarea.code { width: 100%; }
textarea[aria-label] { min-height: 6rem; }
[aria-invalid=true] { border-color: var(--bad); }
.problem { color: var(--bad); font-size: 0.85rem; margin: 0; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.outcome { border-inline-start: 3px solid var(--good); padding-inline-start: 0.75rem; margin-top: 0.75rem; }
.outcome.failed { border-color: var(--bad); }
.outcome h3 { font-size: 0.9rem; margin: 0.25rem 0; }
.outcome.failed h3 { color: var(--bad); }
.outcome img { max-width: 100%; background: repeating-conic-gradient(#ccc 0 25%, #fff 0 50%) 0 0 / 16px 16px; }
progress { width: 10rem; }
.question { border: 2px solid var(--accent); border-radius: 8px; padding: 0.75rem; margin-bottom: 1rem; }
.question h2 { margin-bottom: 0.25rem; }
#filters { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin-bottom: 0.5rem; }
#filters input[type=search] { flex: 1 1 10rem; min-width: 0; }
#messages { display: flex; flex-direction: column; min-height: 0; }
#rows { list-style: none; margin: 0; padding: 0; min-height: 0; overflow-y: auto; border: 1px solid var(--line); border-radius: 8px; font-size: 0.9rem; }
#rows:empty { display: none; }
#rows > li { border-bottom: 1px solid var(--line); }
#rows summary, #rows .line { display: grid; grid-template-columns: 2.5rem 6rem 1.25rem minmax(0, 1fr) auto; gap: 0.5rem; padding: 0.2rem 0.6rem; align-items: baseline; }
#rows summary { cursor: pointer; list-style: none; }
#rows summary::-webkit-details-marker { display: none; }
#rows summary:hover { background: var(--soft); }
#rows .number, #rows .time { color: var(--quiet); font-variant-numeric: tabular-nums; }
#rows .number { text-align: end; }
#rows .what { overflow-wrap: anywhere; white-space: pre-wrap; }
#rows .what .method { font-weight: 600; margin-inline-end: 0.4rem; }
#rows .what .connection { color: var(--quiet); margin-inline-start: 0.4rem; font-size: 0.8rem; }
#rows .facts { text-align: end; white-space: nowrap; color: var(--quiet); font-variant-numeric: tabular-nums; }
#rows .flag { color: var(--bad); font-weight: 600; margin-inline-start: 0.5rem; }
#rows .to-server .arrow { color: var(--accent); }
#rows .to-host .arrow { color: var(--good); }
#rows .error .what, #rows .failed .what, #rows .ended .what, #rows .stdout .what { color: var(--bad); }
#rows .started .what, #rows .ready .what, #rows .connected .what, #rows .note .what { color: var(--quiet); font-style: italic; }
#rows .stderr .what, #rows .stdout .what { font: 12px/1.6 ui-monospace, monospace; }
#rows .more { padding: 0 0.75rem 0.5rem 3.75rem; }
#rows .findings { margin: 0.25rem 0; padding: 0; list-style: none; }
#rows .findings li { overflow-wrap: anywhere; }
#rows .findings .severity { font-weight: 600; margin-inline-end: 0.4rem; }
#rows .findings .severity-error { color: var(--bad); }
#rows .findings .severity-warning { color: var(--warn); }
#rows li.marked { background: light-dark(#fff3d6, #3a3118); }
@media (max-width: 60rem) {
  body { height: auto; }
  main { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto; gap: 0; padding: 0 0.75rem; }
  main > div { overflow-y: visible; }
  header { padding: 0.75rem; }
  #rows { max-height: 70vh; }
  #rows summary, #rows .line { grid-template-columns: 2.25rem 1rem minmax(0, 1fr) auto; }
  #rows .time { display: none; }
  #rows .more { padding-inline-start: 0.75rem; }
}
`;
