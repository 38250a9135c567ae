#!/usr/bin/env bash
# The contract gate, for any CI: is generated/ fresh, is the spec sound, what does this change break, and does a server
# keep the contract. Every step runs, whatever the others say; the exit code is the gravest of theirs:
# 0 all is well, 1 a finding, 2 a step could not run.
#
# With --print-acceptances, only diff is run, and entries for the file of accepted changes are printed on standard output.
#
# Settings, all from the environment:
#   CONTRACT_BASE           ref to compare with (default: the target branch that GitHub or GitLab names, else origin/HEAD);
#                           compared is with the merge base of it and HEAD
#   CONTRACT_OPENAPI        path of an OpenAPI document from the repository's root, for a repository without a spec
#   CONTRACT_BASE_DOCUMENT  where the document or contract.json is in the base, from the repository's root, when this change
#                           moves it and git does not see that; none: the contract is the first
#   CONTRACT_FAIL_ON        breaking (default), risky or none
#   CONTRACT_CHECK_VERSION  true: a version that is too small fails
#   CONTRACT_ACCEPTED       file of accepted changes (default: .bylaw/accepted-changes.yaml, here or in a folder above)
#   CONTRACT_VERIFY         none (default), reference, or the URL of a server; a URL wants BYLAW_API_KEY
#   CONTRACT_BASELINE       file of failures that are known to verify (default: none)
#   CONTRACT_REPORT         folder for reports (default: report/contract)
#   BYLAW                   the command to run, as words (default: the bylaw that this script comes with)
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ -n "${BYLAW:-}" ]; then read -r -a bylaw <<<"$BYLAW"; else bylaw=(node "$here/../bylaw.js"); fi
report=${CONTRACT_REPORT:-report/contract}
openapi=${CONTRACT_OPENAPI:-}
verify=${CONTRACT_VERIFY:-none}
verify_flags=(--report "$report/verify")
if [ -n "${CONTRACT_BASELINE:-}" ]; then verify_flags+=(--baseline "$CONTRACT_BASELINE"); fi
worst=0
print_acceptances=false
case ${1:-} in
  "") ;;
  # The log goes to standard error, so that standard output has the entries alone.
  --print-acceptances) print_acceptances=true; exec 3>&1 1>&2 ;;
  *) printf 'contract-gate.sh: unknown argument %s; known is --print-acceptances.\n' "$1" >&2; exit 2 ;;
esac

on_github() { [ "${GITHUB_ACTIONS:-}" = true ]; }

# What a step found, in the log and, on GitHub, in the step summary.
say() { printf '%s\n' "$*"; }
summarize() { if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then printf '%s\n' "$*" >>"$GITHUB_STEP_SUMMARY"; fi; }
escaped() { local text=${1//'%'/%25}; text=${text//$'\r'/%0D}; printf '%s' "${text//$'\n'/%0A}"; }
annotate() { if on_github; then printf '::%s title=Contract gate::%s\n' "$1" "$(escaped "$2")"; else say "$1: $2"; fi; }

# Runs a command; on GitHub nothing that it prints, such as a text of a spec, is taken for a workflow command.
unheard() {
  local code token
  if ! on_github; then "$@"; return; fi
  token="end-$RANDOM$RANDOM$RANDOM"
  say "::stop-commands::$token"
  "$@"
  code=$?
  say "::$token::"
  return "$code"
}

note() { # note CODE: keeps the gravest exit code; what is neither 0 nor 1 is a step that could not run
  local code=$1
  if [ "$code" -gt 1 ]; then code=2; fi
  if [ "$code" -gt "$worst" ]; then worst=$code; fi
}

cannot_run() {
  annotate error "$1"
  summarize "- 🟥 $2: could not run"
  note 2
}

# step NAME COMMAND...: runs a command with its output in the log.
step() {
  local name=$1 code
  shift
  say "── $name"
  unheard "$@"
  code=$?
  case $code in
    0) summarize "- ✅ $name" ;;
    1) annotate error "$name found something; the log of this step says what."; summarize "- ❌ $name" ;;
    *) annotate error "$name could not run; the log of this step says why."; summarize "- 🟥 $name: could not run" ;;
  esac
  note "$code"
}

git_knows() { git rev-parse --verify --quiet --end-of-options "$1^{commit}" >/dev/null; }

# The ref to compare with; a branch of origin that is not there yet is fetched.
find_base() {
  local branch=${GITHUB_BASE_REF:-${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-}}
  base=${CONTRACT_BASE:-}
  if [ -z "$base" ] && [ -n "$branch" ]; then base=origin/$branch; fi
  if [ -z "$base" ]; then
    base=$(git symbolic-ref --quiet --short refs/remotes/origin/HEAD || true)
    base=${base:-origin/main}
  fi
  if ! git_knows "$base"; then
    say "Fetching $base, which is not in this clone."
    case $base in
      origin/*) git fetch --quiet --no-tags --depth=1 origin "+refs/heads/${base#origin/}:refs/remotes/$base" || true ;;
      *) git fetch --quiet --no-tags --depth=1 origin "$base" && git_knows FETCH_HEAD && base=$(git rev-parse FETCH_HEAD) ;;
    esac
  fi
  git_knows "$base"
}

# The commit from which both sides went on; a shallow clone is deepened until it is there.
find_merge_base() {
  local depth refs=()
  case $base in origin/*) refs+=("+refs/heads/${base#origin/}:refs/remotes/$base") ;; *) refs+=("$base") ;; esac
  if [ -n "${GITHUB_REF:-}" ]; then refs+=("$GITHUB_REF")
  elif [ -n "${CI_COMMIT_REF_NAME:-}" ]; then refs+=("$CI_COMMIT_REF_NAME")
  else refs+=("$(git symbolic-ref --quiet --short HEAD || echo HEAD)"); fi
  for depth in 0 50 500 all; do
    case $depth in
      0) ;;
      all) git fetch --quiet --no-tags --unshallow origin "${refs[@]}" || true ;;
      *)
        say "Deepening this shallow clone by $depth commits to find the merge base."
        git fetch --quiet --no-tags --deepen="$depth" origin "${refs[@]}" || true
        ;;
    esac
    merge_base=$(git merge-base "$base" HEAD 2>/dev/null) && return 0
    [ "$(git rev-parse --is-shallow-repository)" = true ] || return 1
  done
  return 1
}

# Files that are OpenAPI documents or contracts, from the repository's root, each ended by a zero byte: of a commit, or
# without an argument those that git tracks in the working tree.
documents() {
  local pattern='^[^[:alnum:]#]{0,6}(openapi|swagger)["'"'"']?[[:space:]]*:[[:space:]]*["'"'"']?[23]|"(openapi|swagger)"[[:space:]]*:[[:space:]]*"[23]|"contractFormat"[[:space:]]*:'
  git -C "$root" grep --no-color -lzE "$pattern" "$@" -- '*.yaml' '*.yml' '*.json' | while IFS= read -r -d '' file; do
    printf '%s\0' "${file#"${1:-}:"}"
  done
}

# A list of files, each ended by a zero byte, in one line; long ones are cut.
listed() {
  local file count=0 text=
  while IFS= read -r -d '' file; do
    count=$((count + 1))
    if [ "$count" -le 5 ]; then text="$text${text:+, }$file"; fi
  done
  if [ "$count" -gt 5 ]; then text="$text and $((count - 5)) more"; fi
  printf '%s' "$text"
}

# Documents of the base that the head does not have.
gone_documents() {
  documents "$merge_base" | while IFS= read -r -d '' file; do
    if [ ! -e "$root/$file" ]; then printf '%s\0' "$file"; fi
  done
}

others_hint() {
  local others
  others=$(documents "$merge_base" | listed)
  if [ -n "$others" ]; then printf ' If it was one of these in the base, name that with CONTRACT_BASE_DOCUMENT: %s.' "$others"; fi
}

is_document() { # is_document FILE: whether the base has it as a document
  local file
  while IFS= read -r -d '' file; do
    if [ "$file" = "$1" ]; then return 0; fi
  done < <(documents "$merge_base")
  return 1
}

# The document of the base that git takes the contract for, as former.
find_renamed() {
  local status from to
  while IFS= read -r -d '' status && IFS= read -r -d '' from && IFS= read -r -d '' to; do
    if [ "$to" = "$contract" ] && is_document "$from"; then former=$from; return 0; fi
  done < <(git -C "$root" diff --no-ext-diff --find-renames --diff-filter=R --name-status -z "$merge_base" -- '*.yaml' '*.yml' '*.json')
  return 1
}

# Where the contract is in the base, as former; empty where it is the first. Only a contract that the head has, and that is no
# document of the base by another name, is the first: of a mistyped path nothing could ever break.
find_contract() {
  local gone found setting=${CONTRACT_BASE_DOCUMENT:-}
  if [ -n "$openapi" ] && [ ! -f "$root/$contract" ]; then
    found=$(documents | listed)
    cannot_run "There is no $contract at the root of the repository, so nothing can be compared. Correct CONTRACT_OPENAPI (openapi of the action).${found:+ There are: $found.}" "diff"
    return 1
  fi
  if git cat-file -e "$merge_base:$contract" 2>/dev/null; then
    former=$contract
    if [ -n "$setting" ]; then
      annotate warning "CONTRACT_BASE_DOCUMENT (base-document of the action) is $setting and has no effect: the base has $contract. Remove it."
    fi
    return 0
  fi
  if ! git -C "$root" --literal-pathspecs ls-files --error-unmatch -- "$contract" >/dev/null 2>&1; then
    if [ -z "$openapi" ] && [ ! -f "$root/$contract" ]; then
      found=$(documents | listed)
      cannot_run "There is no $contract, in the merge base or here. Compile the spec and commit it; in a repository without a spec, name the OpenAPI document with CONTRACT_OPENAPI (openapi of the action).${found:+ There are: $found.}" "diff"
    else
      cannot_run "$contract is not committed, so no later change could be compared with it. Commit it; if it is ignored, remove it from .gitignore." "diff"
    fi
    return 1
  fi
  if [ -n "$setting" ] && [ "$setting" != none ]; then
    former=${setting#./}
    if git cat-file -e "$merge_base:$former" 2>/dev/null; then return 0; fi
    cannot_run "The merge base ${merge_base:0:12} has no $former. Correct CONTRACT_BASE_DOCUMENT (base-document of the action).$(others_hint)" "diff"
    return 1
  fi
  # A setting that nobody removed hides no move.
  if find_renamed || [ "$setting" = none ]; then return 0; fi
  gone=$(gone_documents | listed)
  if [ -n "$gone" ]; then
    cannot_run "$contract is new, and this change removes $gone. If the contract was one of them, name that with CONTRACT_BASE_DOCUMENT (base-document of the action), so that it is compared; if it is another contract, set that to none." "diff"
    return 1
  fi
}

compare() {
  local args=(--fail-on "${CONTRACT_FAIL_ON:-breaking}" --tolerate-merged) sides code entries="$report/accepted-changes.yaml"
  if [ -n "${CONTRACT_ACCEPTED:-}" ]; then args+=(--accepted "$CONTRACT_ACCEPTED"); fi
  if [ "${CONTRACT_CHECK_VERSION:-false}" = true ]; then args+=(--check-version); fi
  if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    cannot_run "This is no git repository, so there is nothing to compare with." "diff"
    return
  fi
  if ! find_base; then
    cannot_run "The base $base is not in this clone and can't be fetched. Name another with CONTRACT_BASE, or check out the whole history (actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0)." "diff"
    return
  fi
  if ! find_merge_base; then
    cannot_run "There is no merge base of $base and HEAD in this clone. Check out the whole history (actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0)." "diff"
    return
  fi
  root=$(git rev-parse --show-toplevel)
  if [ -n "$openapi" ]; then
    openapi=${openapi#"$root"/}
    contract=${openapi#./}
  else
    contract=$(git rev-parse --show-prefix)generated/contract.json
  fi
  former=
  find_contract || return
  if [ -z "$former" ]; then
    annotate notice "The merge base ${merge_base:0:12} has no $contract: this is the first contract, so nothing can break.$(others_hint)"
    summarize "- ✅ diff: the first contract, nothing to compare with"
    if $print_acceptances; then printf 'accepted: []\n' >&3; fi
    return
  fi
  if [ "$former" != "$contract" ]; then say "$contract was $former in the base; it is compared with that."; fi
  if [ -n "$openapi" ]; then
    sides=("$merge_base:$former" "$root/$contract")
  elif [ "$former" != "$contract" ]; then
    sides=("$merge_base:$former" ./spec)
  else
    sides=("$merge_base")
  fi
  if $print_acceptances; then
    "${bylaw[@]}" diff "${sides[@]}" "${args[@]}" --print-acceptances >&3
    note "$?"
    return
  fi
  say "── diff against ${merge_base:0:12}, the merge base with $base"
  mkdir -p "$report"
  args+=(--report "markdown=$report/diff.md" --report "html=$report/diff.html" --report "json=$report/diff.json")
  args+=(--report "sarif=$report/diff.sarif" --report "junit=$report/diff.junit.xml" --report "github=$report/diff.annotations")
  args+=(--report "acceptances=$entries")
  unheard "${bylaw[@]}" diff "${sides[@]}" "${args[@]}"
  code=$?
  if [ "$code" -gt 1 ]; then
    cannot_run "diff could not run; the log of this step says why." "diff"
    return
  fi
  # Places are told from the working folder, and GitHub counts from the repository's root.
  if on_github; then prefixed "$(git rev-parse --show-prefix)" <"$report/diff.annotations"; fi
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then { cat "$report/diff.md"; echo; } >>"$GITHUB_STEP_SUMMARY"; fi
  if grep -q '^  - ' "$entries"; then tell_entries; fi
  note "$code"
}

# Entries that accept what fails, for whoever decides so.
tell_entries() {
  say "To accept what fails, give each entry of $entries a reason and an owner, and add it to the file of accepted changes:"
  if on_github; then say "::group::Entries for the file of accepted changes"; fi
  unheard cat "$entries"
  if on_github; then say "::endgroup::"; fi
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ "$(wc -c <"$entries")" -le 100000 ]; then
    { printf '<details><summary>Entries for the file of accepted changes</summary>\n\n~~~~~~yaml\n'; cat "$entries"; printf '~~~~~~\n\n</details>\n\n'; } >>"$GITHUB_STEP_SUMMARY"
  fi
}

prefixed() { PREFIX=$1 awk '{ sub(/^::[a-z]+ file=/, "&" ENVIRON["PREFIX"]); print }'; }

# What lint found, as annotations at their lines.
annotate_lint() {
  on_github || return 0
  "${bylaw[@]}" lint --format json 2>/dev/null | node -e '
    const data = (text) => String(text).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
    const property = (text) => data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
    const { problems } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    for (const { code, severity, message, fix, place } of problems.slice(0, 10)) {
      const at = place ? `file=${property(place.file)},line=${place.line},col=${place.column},` : "";
      console.log(`::${severity === "error" ? "error" : "warning"} ${at}title=${property(code)}::${data(fix ? `${message}\n${fix}` : message)}`);
    }
  ' 2>/dev/null | prefixed "$(git rev-parse --show-prefix 2>/dev/null)"
}

# A merge request from outside is run without the project's secrets; so is one of Dependabot.
from_outside() {
  if [ "${GITHUB_ACTOR:-}" = 'dependabot[bot]' ]; then return 0; fi
  if [ -n "${CI_MERGE_REQUEST_SOURCE_PROJECT_ID:-}" ] && [ "$CI_MERGE_REQUEST_SOURCE_PROJECT_ID" != "${CI_PROJECT_ID:-}" ]; then return 0; fi
  [ -n "${GITHUB_EVENT_PATH:-}" ] && node -e '
    const { pull_request: pull } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    process.exit(pull && pull.head?.repo?.full_name !== pull.base?.repo?.full_name ? 0 : 1);
  ' "$GITHUB_EVENT_PATH"
}

check_server() {
  case $verify in
    none) ;;
    reference) step "verify --reference" "${bylaw[@]}" verify --reference "${verify_flags[@]}" ;;
    http://* | https://*)
      if [ -n "${BYLAW_API_KEY:-}" ]; then
        step "verify" "${bylaw[@]}" verify --url "$verify" "${verify_flags[@]}"
      elif from_outside; then
        annotate notice "verify is left out: a pull request from outside has no BYLAW_API_KEY. The rest of the gate decides."
        summarize "- ⚪ verify: left out, as a pull request from outside has no secrets"
      else
        cannot_run "verify has no key: give it the environment variable BYLAW_API_KEY." "verify"
      fi
      ;;
    *) cannot_run "CONTRACT_VERIFY is \"$verify\"; it may be none, reference, or a URL." "verify" ;;
  esac
}

if $print_acceptances; then compare; exit "$worst"; fi
summarize "## Contract gate"
if [ -z "$openapi" ]; then
  step "compile --check" "${bylaw[@]}" compile --check
  step "lint" "${bylaw[@]}" lint
  annotate_lint
fi
compare
check_server
say "── exit code $worst; reports in $report"
exit "$worst"
