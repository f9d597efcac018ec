/// Returns a copy of `value` with a change.
@inlinable package func with<T>(_ value: T, _ change: (inout T) -> Void) -> T {
    var copy = value
    change(&copy)
    return copy
}
