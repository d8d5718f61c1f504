//! One instance of the engine, which answers one request after the other.

use serde_json::{Value, json};

use tengen::bench;
use tengen::engine::{LoadedNetwork, Networks, StopSwitch};
use tengen::proved;
use tengen_page_api::{EngineSlot, Handler, ProgressSender, RequestError, endpoint};
use tengen_rules::types::Rule;

/// Number of stop switches. A request uses the one at its number modulo this one.
pub const SWITCHES: usize = 64;

/// An engine, its networks, and the switches that stop its searches.
pub struct Instance {
    threads: usize,
    memory: u64,
    networks: Networks,
    slot: EngineSlot,
    stops: [StopSwitch; SWITCHES],
}

/// A request of the page.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Its number, which selects its stop switch. Numbers increase.
    pub number: usize,
    /// The name of its kind, such as `look`.
    pub name: &'a str,
    /// The question in JSON.
    pub body: &'a [u8],
    /// Whether a search is stopped from the start, for an answer of the usual form without delay.
    pub is_stopped: bool,
}

impl Instance {
    /// An instance that searches with `threads` threads in `memory` bytes. Only rules whose
    /// network is added can be searched.
    pub fn new(threads: usize, memory: u64) -> Instance {
        let networks = Networks::embedded();
        let slot = EngineSlot::new(threads, memory, networks.clone());
        let stops = std::array::from_fn(|_| StopSwitch::new());
        Instance { threads, memory, networks, slot, stops }
    }

    /// The switch that stops the request of this number. It may be pressed before the request
    /// begins.
    pub fn stop_switch(&self, number: usize) -> &StopSwitch {
        &self.stops[number % SWITCHES]
    }

    /// Adds the network of a rule. The engine forgets its last search.
    ///
    /// # Errors
    /// When the rule is unknown, or `bytes` are not an undamaged network of this version for it.
    pub fn add_network(&mut self, rule: &str, bytes: &[u8]) -> Result<(), RequestError> {
        let rule: Rule = rule.parse().map_err(RequestError::new)?;
        let network = LoadedNetwork::from_bytes(bytes, rule).map_err(RequestError::new)?;
        self.networks.insert(network);
        self.slot = EngineSlot::new(self.threads, self.memory, self.networks.clone());
        Ok(())
    }

    /// Adds the proofs of openings of a rule and board, such as `freestyle-15x15`.
    ///
    /// # Errors
    /// When no proofs have this name, or `bytes` are not an undamaged book.
    pub fn add_proofs(&mut self, name: &str, bytes: &[u8]) -> Result<(), RequestError> {
        match proved::add_book(name, bytes) {
            Ok(true) => Ok(()),
            Ok(false) => Err(RequestError::new(format!("no proofs have the name {name:?}"))),
            Err(error) => Err(RequestError::new(format!("proofs {name}: {error}"))),
        }
    }

    /// Answers a request. `report` receives the progress of a search. The answer is `{"done": ...}`,
    /// `{"error": ...}`, or `{"network": rule}` if the search needs the network of this rule.
    pub fn answer(
        &mut self,
        request: Request<'_>,
        report: impl Fn(Value) + Send + 'static,
    ) -> Value {
        let answer = self.try_answer(request, report);
        // A late stop of this request must not reach the one that uses its switch next. Half of the
        // switches belong to earlier requests, the others to later ones.
        self.stop_switch(request.number + SWITCHES / 2).release();
        answer.unwrap_or_else(|error| error.json())
    }

    fn try_answer(
        &mut self,
        request: Request<'_>,
        report: impl Fn(Value) + Send + 'static,
    ) -> Result<Value, RequestError> {
        let unknown = || RequestError::new(format!("unknown request {:?}", request.name));
        let result = match endpoint(request.name).ok_or_else(unknown)?.handler {
            Handler::Immediate(answer) => answer(request.body)?,
            Handler::Search(task) => {
                let task = task(request.body)?;
                if self.networks.loaded(task.rule()).is_none() {
                    return Ok(json!({ "network": task.rule().name() }));
                }
                let stop = self.stop_switch(request.number).clone();
                if request.is_stopped {
                    stop.press();
                }
                task.run(&mut self.slot, &ProgressSender::new(report, stop))?
            }
        };
        Ok(json!({ "done": result }))
    }

    /// Searches the positions of `tengen bench`. All networks must have been added.
    pub fn bench(&self, depth: u32) -> Value {
        if let Some(rule) = Rule::ALL.into_iter().find(|&it| self.networks.loaded(it).is_none()) {
            return json!({ "network": rule.name() });
        }
        let totals = bench::measure_with(&self.networks, depth, self.threads, |_| {});
        json!({ "done": { "nodes": totals.nodes, "ms": totals.elapsed.as_secs_f64() * 1e3 } })
    }

    /// Compares the kernel of the network with the plain one, and returns its name.
    ///
    /// # Panics
    /// When a result differs.
    #[cfg(all(target_arch = "wasm32", feature = "compare"))]
    pub fn compare_kernels(&self) -> Value {
        json!({ "done": format!("{:?}", tengen::eval::network::compare_kernels(&self.networks)) })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use tengen::eval::network::embedded;

    const MEMORY: u64 = 64 << 20;

    fn instance() -> Instance {
        let mut instance = Instance::new(1, MEMORY);
        instance.add_network("renju", embedded(Rule::Renju)).unwrap();
        instance
    }

    fn request<'a>(number: usize, name: &'a str, body: &'a str) -> Request<'a> {
        Request { number, name, body: body.as_bytes(), is_stopped: false }
    }

    const LOOK: &str = r#"{"position":{"rule":"caro","size":15,"moves":["h8"]}}"#;
    const ANALYSE: &str =
        r#"{"position":{"rule":"renju","size":15,"moves":["h8"]},"lines":2,"nodes":3000}"#;

    #[test]
    fn immediate_requests_need_no_network() {
        let answer = Instance::new(1, MEMORY).answer(request(0, "look", LOOK), |_| {});
        assert_eq!(answer["done"]["side_to_move"], "white");
    }

    #[test]
    fn invalid_requests_are_refused() {
        let mut instance = instance();
        for (name, body, reason) in [
            ("stop", "{}", "unknown request \"stop\""),
            ("look", "{", "invalid request"),
            ("analyse", LOOK, "missing field"),
        ] {
            let answer = instance.answer(request(0, name, body), |_| {});
            assert!(answer["error"].as_str().unwrap().contains(reason), "{name}: {answer}");
        }
    }

    #[test]
    fn searches_name_the_missing_network() {
        let mut instance = Instance::new(1, MEMORY);
        let answer = instance.answer(request(0, "analyse", ANALYSE), |_| {});
        assert_eq!(answer, json!({ "network": "renju" }));
        assert_eq!(instance.bench(1), json!({ "network": "freestyle" }));
        for (rule, bytes, reason) in [
            ("chess", embedded(Rule::Renju), "expected freestyle"),
            ("caro", embedded(Rule::Renju), "renju"),
            ("renju", &embedded(Rule::Renju)[..100], "100"),
        ] {
            let error = instance.add_network(rule, bytes).unwrap_err().to_string();
            assert!(error.contains(reason), "{rule}: {error}");
        }
        instance.add_network("renju", embedded(Rule::Renju)).unwrap();
        let answer = instance.answer(request(1, "analyse", ANALYSE), |_| {});
        assert_eq!(answer["done"]["lines"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn searches_report_progress() {
        let mut instance = instance();
        let updates = Arc::new(Mutex::new(Vec::new()));
        let list = Arc::clone(&updates);
        let answer = instance
            .answer(request(7, "analyse", ANALYSE), move |it| list.lock().unwrap().push(it));
        let updates = updates.lock().unwrap();
        assert!(updates.len() > 2 && updates.iter().all(|it| it["lines"].is_array()));
        let first = |value: &Value| value["lines"][0]["move"].clone();
        assert_eq!(first(updates.last().unwrap()), first(&answer["done"]));
    }

    #[test]
    fn switches_stop_their_request_only() {
        let mut instance = instance();
        let is_stopped = |instance: &mut Instance, number| {
            let body = r#"{"position":{"rule":"renju","size":15,"moves":["h8"]},"player":"level:full","nodes":500}"#;
            let answer = instance.answer(request(number, "think", body), |_| {});
            assert!(answer["done"]["move"].is_string(), "{answer}");
            answer["done"]["stopped"].as_bool().unwrap()
        };
        instance.stop_switch(5).press();
        assert!(!is_stopped(&mut instance, 4));
        assert!(is_stopped(&mut instance, 5));
        // A late stop does not reach the next request with the same switch.
        assert!(!is_stopped(&mut instance, 5 + SWITCHES / 2));
        assert!(!is_stopped(&mut instance, 5 + SWITCHES));
    }

    #[test]
    fn requests_can_be_stopped_from_the_start() {
        let mut instance = instance();
        let stopped = Request { is_stopped: true, ..request(0, "analyse", ANALYSE) };
        let answer = instance.answer(stopped, |_| {});
        assert!(answer["done"]["nodes"].as_u64().unwrap() < 3000, "{answer}");
    }
}
