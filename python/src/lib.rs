//! The Python module `tengen._tengen`; documented in `_tengen.pyi`.

mod boards;
mod convert;
mod engine;
mod game;
mod study;

use pyo3::prelude::*;

#[pymodule]
fn _tengen(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("PLANES", convert::default_planes())?;
    module.add_class::<game::Game>()?;
    module.add_class::<boards::Boards>()?;
    module.add_class::<study::Study>()?;
    module.add_class::<study::Positions>()?;
    module.add_function(wrap_pyfunction!(engine::best_move, module)?)?;
    module.add_function(wrap_pyfunction!(engine::analyze, module)?)?;
    module.add_function(wrap_pyfunction!(engine::solve, module)?)?;
    module.add_function(wrap_pyfunction!(engine::forbidden, module)?)?;
    module.add_function(wrap_pyfunction!(engine::judge, module)?)?;
    Ok(())
}
