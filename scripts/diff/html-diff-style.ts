/** What the page of a comparison adds to the style of the reports. */
export const diffStyle = `
.breaking { --tint: var(--fail); } .risky { --tint: var(--warn); } .safe { --tint: var(--pass); }
.accepted { --tint: var(--observed); } .overridden { --tint: var(--kit_error); }
.version { color: var(--soft); }
.failures li { color: var(--fail); } .warnings li { color: var(--warn); font-weight: 600; }
.failures li, .warnings li { overflow-wrap: anywhere; }
main h2 { overflow-wrap: anywhere; }
details.fold { border: 0; margin: .3rem 0; background: none; } details.fold > summary { padding: .1rem 0; color: var(--soft); }
details.fold > ul { padding-left: 1rem; }
.change .badge.accepted, .change .badge.overridden { background: color-mix(in srgb, var(--tint) 14%, transparent); }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
.side { min-width: 0; border: 1px solid var(--line); border-top: 3px solid var(--tint); border-radius: 6px; padding: .3rem .7rem .6rem; }
.side h3 { margin: .3rem 0; color: var(--tint); }
.valid { --tint: var(--pass); } .refused { --tint: var(--fail); }
@media (max-width: 45rem) { .sides { grid-template-columns: 1fr; } dl { grid-template-columns: 1fr; } summary { flex-wrap: wrap; } }
`;
