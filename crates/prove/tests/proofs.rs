//! Proofs of positions, checked by the checker; interrupted runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use tengen_prove::{
    Archive, Certificate, Division, Effort, Folder, Image, Job, JobEnd, JobResult, Plan, Proof,
    RunOptions, Search, State, Status, Win, parse_cell, parse_stones, prove, run,
};
use tengen_verify::{Claim, Color, Rule, Verifier, certificate, check};

fn claim(rule: Rule, size: u8, attacker: Color, text: &str) -> Claim {
    let none = Claim { rule, size, attacker, black: Vec::new(), white: Vec::new() };
    parse_stones(text, &none).unwrap()
}

/// A far reply to h8 h9 i9, and its proof with quiet moves.
static FAR_REPLY: LazyLock<(Claim, Proof)> = LazyLock::new(|| {
    let claim = claim(Rule::Freestyle, 15, Color::Black, "h8 i9/a1 h9");
    let proof = prove(&claim, Effort::default(), 20_000_000).unwrap();
    (claim, proof)
});

#[test]
fn far_reply_is_proved() {
    let (claim, proof) = &*FAR_REPLY;
    assert!(proof.positions.len() as u64 > proof.leaves());
    let checked = check(&certificate(claim, &proof.body), false).unwrap();
    assert_eq!(checked.claim, *claim);
    assert!(checked.moves > 1000);
}

#[test]
fn archived_positions_are_copied_without_a_search() {
    let (root, proof) = &*FAR_REPLY;
    let mut archive = Archive::default();
    archive.add_proof(root.clone(), proof.clone());
    let (mut threats, mut quiet) = (0, 0);
    for (claim, win) in proof.positions.iter().step_by(7) {
        let mut search = Search::new(Effort::default(), &archive, &|| false);
        let mut state = State::new(claim);
        assert!(search.prove(&mut state, None, 0));
        let copied = search.write(&mut state).unwrap();
        assert_eq!(search.work().nodes, 0);
        assert_eq!(copied.positions[0], (claim.clone(), *win));
        check(&certificate(claim, &copied.body), false).unwrap();
        match win {
            Win::Threats => threats += 1,
            Win::Move(_) => quiet += 1,
        }
    }
    assert!(threats > 5 && quiet > 0, "{threats} {quiet}");
}

#[test]
fn archived_positions_that_their_certificate_lacks_are_searched() {
    let from = |text| claim(Rule::Freestyle, 15, Color::Black, text);
    let (other, own) = (from("h8 i8 j8/a1 c1 e3"), from("h8 i8 j8/a1 c1 e1"));
    let body = prove(&other, Effort::default(), 100_000).unwrap().body;
    // As if the file of moves belonged to another proof.
    let source = Arc::new(Certificate::new(other, body));
    let mut archive = Archive::default();
    archive.add(&source, &[(own.clone(), Win::Threats)]);
    let calls = AtomicUsize::new(0);
    let stop = || calls.fetch_add(1, Ordering::Relaxed) > 1_000_000;
    let mut search = Search::new(Effort::default(), &archive, &stop);
    let proof = search.proof(&mut State::new(&own), None, 100_000).expect("a proof");
    check(&certificate(&own, &proof.body), false).unwrap();
}

#[test]
fn threats_are_proved_in_every_rule_for_both_sides() {
    // An open three; the other side has nothing.
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        let black = claim(rule, 15, Color::Black, "h8 i8 j8/a1 c1 e1");
        let white = claim(rule, 15, Color::White, "a1 c1 e1 g1/h8 i8 j8");
        for claim in [black, white] {
            let proof = prove(&claim, Effort::default(), 100_000).unwrap();
            check(&certificate(&claim, &proof.body), false).unwrap();
        }
    }
}

#[test]
fn position_is_open_if_the_nodes_do_not_suffice() {
    let claim = claim(Rule::Freestyle, 15, Color::Black, "h8 i9/g7 h9");
    let Err(JobResult::Open(work)) = prove(&claim, Effort::default(), 20_000) else {
        panic!("a proof with 20,000 nodes");
    };
    assert!((20_000..60_000).contains(&work.nodes), "{work:?}");
}

/// White to move against an open three in a small board: some replies are lost, some hold.
fn small_plan() -> (Plan, Vec<Job>, Vec<Division>) {
    let plan = Plan::new(claim(Rule::Freestyle, 7, Color::Black, "c4 d4 e4 g2/a1 g7 a7"));
    let (jobs, divisions) = plan.parts();
    (plan, jobs, divisions)
}

fn options() -> RunOptions {
    RunOptions { nodes: 20_000, part: 0, parts: 1, threads: 1, effort: Effort::default() }
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    entries.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

#[test]
fn interrupted_runs_end_with_the_same_files() {
    let (plan, jobs, divisions) = small_plan();
    let whole = tempfile::tempdir().unwrap();
    let (folder, _) = Folder::create(whole.path(), &plan).unwrap();
    let mut ends: Vec<JobEnd> = Vec::new();
    run(&folder, &jobs, &options(), &|| false, &mut |end| ends.push(end)).unwrap();
    assert_eq!(ends.len(), jobs.len());
    let proved = ends.iter().filter(|end| matches!(end.result, JobResult::Proved { .. }));
    let proved = proved.count();
    assert!(proved > 20 && proved < jobs.len(), "{proved} of {}", jobs.len());
    assert_eq!(folder.join(&jobs, &divisions).unwrap(), 1);

    let parts = tempfile::tempdir().unwrap();
    let mut rounds = 0;
    loop {
        let (folder, own) = Folder::create(parts.path(), &plan).unwrap();
        assert_eq!(own, plan);
        let calls = AtomicUsize::new(0);
        let most = 7 * (rounds + 1);
        let stop = || calls.fetch_add(1, Ordering::Relaxed) >= most;
        let mut interrupted = 0;
        run(&folder, &jobs, &options(), &stop, &mut |end| {
            interrupted += usize::from(end.result == JobResult::Interrupted);
        })
        .unwrap();
        rounds += 1;
        if files(parts.path()).len() == files(whole.path()).len() && interrupted == 0 {
            break;
        }
        assert!(rounds < 1000);
    }
    assert!(rounds > 2, "{rounds} rounds");
    assert_eq!(files(parts.path()), files(whole.path()));
}

/// Black has two straight fours to make: every reply loses.
fn lost_plan() -> Plan {
    let text = "c4 d4 e4 c6 d6 e6/a1 g7 a7 g1 a3";
    Plan::new(claim(Rule::Freestyle, 7, Color::Black, text))
}

/// Checks the certificates in a folder and returns their claims.
fn verified(path: &Path) -> Vec<Claim> {
    let mut verifier = Verifier::new(false);
    let files = tengen_verify::certificates(path).unwrap();
    files.iter().map(|file| verifier.verify(file).unwrap().unwrap().claim).collect()
}

/// A folder with a certificate of every job of the plan.
fn proved_folder(plan: &Plan) -> (tempfile::TempDir, Folder) {
    let directory = tempfile::tempdir().unwrap();
    let (folder, _) = Folder::create(directory.path(), plan).unwrap();
    run(&folder, &plan.parts().0, &options(), &|| false, &mut |_| {}).unwrap();
    (directory, folder)
}

#[test]
fn complete_folders_have_a_complete_certificate_of_the_root() {
    let plan = lost_plan();
    let (jobs, divisions) = plan.parts();
    let (directory, folder) = proved_folder(&plan);
    let path = directory.path();
    assert_eq!(folder.join(&jobs, &divisions).unwrap(), 0);
    let quiet = folder.quiet_moves(&jobs, &divisions, &mut Vec::new()).unwrap();
    assert!(quiet.iter().all(|(claim, _)| claim.to_move() == plan.root.attacker));
    // Each black stone of the root can have been the last one.
    let leads_to_root = |(before, cell): &&(Claim, u8)| {
        let mut black = before.black.clone();
        black.push(*cell);
        black.sort_unstable();
        black == plan.root.black && before.white == plan.root.white
    };
    assert_eq!(quiet.iter().filter(leads_to_root).count(), plan.root.black.len());
    assert_eq!(verified(path).iter().filter(|claim| **claim == plan.root).count(), 1);
}

/// What is known of a job, and the error of an invalid file.
fn status(folder: &Folder, job: &Job) -> (Status, Option<String>) {
    let mut invalid = Vec::new();
    let status = folder.status(job, &mut invalid).unwrap();
    assert!(invalid.len() <= 1, "{invalid:?}");
    (status, invalid.first().map(ToString::to_string))
}

#[test]
fn invalid_certificates_do_not_count_and_are_replaced() {
    let plan = lost_plan();
    let (jobs, divisions) = plan.parts();
    let (directory, folder) = proved_folder(&plan);
    let path = directory.path().to_path_buf();
    let whole = files(&path);
    let names: Vec<&String> = whole.keys().filter(|name| name.ends_with(".proof")).collect();
    let valid = &whole[names[0]];
    let stones = usize::from(valid[12] + valid[13]);
    let mut damaged = valid.clone();
    damaged[14 + stones] ^= 1;
    let (head, body) = valid[..valid.len() - 8].split_at(14 + stones);
    let mut standard = check(valid, false).unwrap().claim;
    assert_eq!(standard.head(), head);
    standard.rule = Rule::Standard;
    for (bytes, part) in [
        (Vec::new(), "truncated"),
        (valid[..valid.len() - 1].to_vec(), "checksum"),
        (damaged, "checksum"),
        (certificate(&standard, body), "it proves another claim: standard 7x7"),
        (whole[names[1]].clone(), "it proves another claim: freestyle 7x7"),
    ] {
        fs::write(path.join(names[0]), &bytes).unwrap();
        assert_eq!(folder.join(&jobs, &divisions).unwrap(), 1, "{part}");
        let mut invalid = Vec::new();
        let statuses = jobs.iter().map(|job| folder.status(job, &mut invalid).unwrap());
        let untried = statuses.filter(|status| *status == Status::Untried).count();
        assert_eq!(untried, 1, "{part}");
        let text = invalid[0].to_string();
        assert!(text.contains(names[0].as_str()) && text.contains(part), "{text}");
        let quiet = folder.quiet_moves(&jobs, &divisions, &mut invalid).unwrap();
        assert!(quiet.iter().all(|(claim, _)| claim.white.len() > plan.root.white.len()));
        assert_eq!(invalid.len(), 2);

        let mut done = 0;
        run(&folder, &jobs, &options(), &|| false, &mut |_| done += 1).unwrap();
        assert_eq!(done, 1, "{part}");
        check(&fs::read(path.join(names[0])).unwrap(), false).unwrap();
        assert_eq!(folder.join(&jobs, &divisions).unwrap(), 0, "{part}");
    }
    verified(&path);
}

#[test]
fn certificate_that_rests_on_missing_ones_does_not_count() {
    let (plan, hard) = (lost_plan(), lost_plan().parts().0[0].clone());
    let mut split = plan.clone();
    split.splits.push((hard.claim.clone(), parse_cell("b4", 7).unwrap()));
    let (jobs, divisions) = split.parts();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_path_buf();
    let (folder, _) = Folder::create(&path, &split).unwrap();
    run(&folder, &jobs, &options(), &|| false, &mut |_| {}).unwrap();
    assert_eq!(folder.join(&jobs, &divisions).unwrap(), 0);
    // As if another plan was copied into the folder.
    folder.write_plan(&plan).unwrap();
    assert_eq!(status(&folder, &hard), (Status::Proved(None), None));
    let after = files(&path).into_keys().find(|name| name.starts_with("b4"));
    fs::remove_file(path.join(after.unwrap()).with_extension("proof")).unwrap();
    let (status, error) = status(&folder, &hard);
    assert_eq!(status, Status::Untried);
    assert!(error.as_ref().is_some_and(|it| it.contains("GIVEN")), "{error:?}");
}

#[test]
fn certificates_of_mirror_images_count() {
    let plan = lost_plan();
    let (jobs, divisions) = plan.parts();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_path_buf();
    let (folder, _) = Folder::create(&path, &plan).unwrap();
    let image = |job: &Job| Job { claim: job.claim.images().nth(1).unwrap(), reply: None };
    let images: Vec<Job> = jobs.iter().map(image).collect();
    run(&folder, &images, &options(), &|| false, &mut |_| {}).unwrap();
    for job in &jobs {
        assert!(matches!(status(&folder, job), (Status::Proved(Some(_)), None)));
    }
    run(&folder, &jobs, &options(), &|| false, &mut |end| panic!("{end:?}")).unwrap();
    assert_eq!(folder.join(&jobs, &divisions).unwrap(), 0);
    verified(&path);
}

#[test]
fn errors_stop_the_other_threads() {
    let claim = |text| claim(Rule::Freestyle, 15, Color::Black, text);
    let job = |text| Job { claim: claim(text), reply: None };
    // The first job takes hours. The result of the second one cannot be written.
    let jobs = [job("h8 i9/g7 h9"), job("h8 i8 j8/a1 c1 e1")];
    let path = tempfile::tempdir().unwrap();
    fs::create_dir(path.path().join("h8i8j8-a1c1e1.moves")).unwrap();
    let (folder, _) = Folder::create(path.path(), &Plan::new(claim("/"))).unwrap();
    let begun = Instant::now();
    let stop = || begun.elapsed() > Duration::from_secs(60);
    let options = RunOptions { nodes: 1 << 40, threads: 2, ..options() };
    let error = run(&folder, &jobs, &options, &stop, &mut |end| panic!("{end:?}")).unwrap_err();
    assert!(error.to_string().contains("h8i8j8-a1c1e1.moves"), "{error}");
    assert!(!stop());
}

#[test]
fn folders_of_another_claim_are_refused() {
    let (plan, ..) = small_plan();
    let folder = tempfile::tempdir().unwrap();
    Folder::create(folder.path(), &plan).unwrap();
    let other = Plan::new(claim(Rule::Standard, 7, Color::Black, "c4 d4 e4 g2/a1 g7 a7"));
    let error = Folder::create(folder.path(), &other).unwrap_err().to_string();
    let from = "black wins from g2 c4 d4 e4/a1 a7 g7";
    let claims = format!("another claim: freestyle 7x7, {from} (expected standard 7x7, {from})");
    assert!(error.contains(&claims), "{error}");
    assert!(Folder::open(&folder.path().join("none")).is_err());
}

/// The nodes of the proofs of these jobs, which run one after the other. All certificates must be
/// accepted.
fn proved_nodes(plan: &Plan, jobs: &[Job]) -> Vec<u64> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_path_buf();
    let (folder, _) = Folder::create(&path, plan).unwrap();
    let options = RunOptions { nodes: 5_000_000, ..options() };
    let mut nodes = Vec::new();
    run(&folder, jobs, &options, &|| false, &mut |end| match end.result {
        JobResult::Proved { work, .. } => nodes.push(work.nodes),
        other => panic!("{other:?}"),
    })
    .unwrap();
    verified(&path);
    nodes
}

/// Two far replies to h8 h9 i9.
#[test]
fn certificate_of_a_sibling_is_transferred() {
    let plan = Plan::new(claim(Rule::Freestyle, 15, Color::Black, "h8 i9/h9"));
    let nodes = proved_nodes(&plan, &plan.parts().0[..2]);
    assert!(nodes[1] < nodes[0] / 4, "{nodes:?}");
}

/// The same reply after two far second moves.
#[test]
fn certificate_with_another_earlier_stone_is_transferred() {
    let from = |text| claim(Rule::Freestyle, 15, Color::Black, text);
    let mut plan = Plan::new(from("h8/"));
    for second in ["h8/a1", "h8/b1"] {
        plan.splits.push((from(second), parse_cell("j8", 15).unwrap()));
    }
    let claims = ["h8 j8/a1 e15", "h8 j8/b1 e15"].map(from);
    let jobs: Vec<Job> = plan.parts().0;
    let jobs: Vec<Job> = jobs.into_iter().filter(|it| claims.contains(&it.claim)).collect();
    assert_eq!(jobs.len(), 2);
    let nodes = proved_nodes(&plan, &jobs);
    assert!(nodes[1] < nodes[0] / 4, "{nodes:?}");
}

#[test]
fn moves_of_a_displaced_image_shorten_a_search() {
    // The reflection that exchanges the black stones moves everything one step to the right and up.
    let (before, after) = ("h8 i9/b2 h9", "h8 i9/h9 o15");
    let [before, after] =
        [before, after].map(|text| claim(Rule::Freestyle, 15, Color::Black, text));
    let opening = claim(Rule::Freestyle, 15, Color::Black, "h8 i9/h9");
    let images = Image::of(&opening);
    let nodes = |archive: &Archive| {
        let mut search = Search::new(Effort::default(), archive, &|| false);
        let mut state = State::new(&after);
        assert!(search.prove(&mut state, None, 20_000_000));
        let proof = search.write(&mut state).unwrap();
        check(&certificate(&after, &proof.body), false).unwrap();
        search.work().nodes
    };
    let mut archive = Archive::default();
    let without = nodes(&archive);
    let proof = prove(&before, Effort::default(), 20_000_000).unwrap();
    archive.add_images(&images, &proof.positions);
    let with = nodes(&archive);
    assert!(4 * with < 3 * without, "{with} {without}");
}

/// Writes a proof with these limits. Returns how often a win was searched again, and how often the
/// whole search had to continue.
fn written_proof(claim: &Claim, write: u64, repair: u64) -> (u64, u64) {
    let effort = Effort { write, repair, ..Effort::default() };
    let archive = Archive::default();
    let mut search = Search::new(effort, &archive, &|| false);
    let mut state = State::new(claim);
    assert!(search.prove(&mut state, None, 20_000_000));
    let (before, mut resumed) = (search.work().repairs, 0);
    loop {
        if let Some(proof) = search.write(&mut state) {
            check(&certificate(claim, &proof.body), false).unwrap();
            return (search.work().repairs - before, resumed);
        }
        resumed += 1;
        assert!(search.resume(&mut state, 40_000_000));
    }
}

#[test]
fn wins_that_are_not_found_again_get_another_proof() {
    let claim = claim(Rule::Freestyle, 15, Color::Black, "h8 i9 j9/h9 a1 a2");
    // So few nodes that the solver does not find all wins again when the proof is written.
    let (repairs, resumed) = written_proof(&claim, 2, Effort::default().repair);
    assert!(repairs > 0);
    assert_eq!(resumed, 0);
}

#[test]
fn search_continues_where_no_other_proof_is_found() {
    let claim = claim(Rule::Freestyle, 7, Color::Black, "c4 d4 e4 g2/a1 g7 a7 b4");
    let (_, resumed) = written_proof(&claim, 1, 1);
    assert!(resumed > 0);
}
