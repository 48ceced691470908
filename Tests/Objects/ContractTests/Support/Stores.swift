import TestStores

/// The stores that every behaviour is tested on, by a short name: each test has it.
typealias Kind = TestedStore

/// What each behaviour is tested on.
let stores = Kind.allCases
