/// A class whose convenience initialisers may return what something else has made: an object that
/// its context inserted, or a private subclass.
///
/// Only the initialiser of a protocol's extension may assign `self`.
protocol Making {}

extension Making {
  init(making make: () -> Self) { self = make() }
}
