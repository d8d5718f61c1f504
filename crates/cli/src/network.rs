//! The option `--network`: networks from files.

use tengen::engine::{LoadedNetwork, Networks};
use tengen_rules::types::Rule;

/// Networks that replace the embedded ones.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct NetworkArgs {
    /// Network file of `tengen train` to use under a rule instead of the embedded network; can be
    /// repeated
    #[arg(long = "network", value_name = "RULE=FILE", value_parser = load)]
    networks: Vec<LoadedNetwork>,
}

impl NetworkArgs {
    /// The networks. If a rule has several files, the last one counts.
    pub fn networks(&self) -> Networks {
        let mut networks = Networks::embedded();
        self.networks.iter().for_each(|network| networks.insert(network.clone()));
        networks
    }

    /// The rules with a network from a file and the hashes of the files; empty without any.
    pub fn names(&self) -> Vec<String> {
        let networks = self.networks();
        let loaded = Rule::ALL.into_iter().filter_map(|rule| networks.loaded(rule));
        loaded.map(|network| format!("{}={:016x}", network.rule(), network.hash())).collect()
    }
}

/// Reads the file of `RULE=FILE`.
fn load(text: &str) -> anyhow::Result<LoadedNetwork> {
    let (rule, path) = text.split_once('=').ok_or_else(|| anyhow::anyhow!("expected RULE=FILE"))?;
    let rule: Rule = rule.parse().map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(LoadedNetwork::open(path, rule)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;
    use tengen::eval::network::embedded;

    #[derive(clap::Parser)]
    struct Parser {
        #[command(flatten)]
        args: NetworkArgs,
    }

    fn parse(values: &[&str]) -> Result<NetworkArgs, String> {
        let words = values.iter().flat_map(|value| ["--network", value]);
        let parsed = Parser::try_parse_from(["tengen"].into_iter().chain(words));
        parsed.map(|it| it.args).map_err(|error| error.to_string())
    }

    #[test]
    fn network_files_are_read_with_the_arguments() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.net");
        let value = |rule: &str| format!("{rule}={}", path.display());
        let refused = parse(&[&value("renju")]).unwrap_err();
        assert!(refused.contains("cannot read network"), "{refused}");
        std::fs::write(&path, embedded(Rule::Renju)).unwrap();
        let refused = parse(&[&value("caro")]).unwrap_err();
        assert!(refused.contains("a network for renju (expected caro)"), "{refused}");
        let args = parse(&[&value("renju"), &value("renju")]).unwrap();
        let hash = args.networks().loaded(Rule::Renju).unwrap().hash();
        assert_eq!(args.names(), [format!("renju={hash:016x}")]);
        assert_eq!(parse(&[]).unwrap().networks(), Networks::embedded());
        assert!(parse(&["my.net"]).unwrap_err().contains("expected RULE=FILE"));
    }
}
