/// Where an app's dependencies have their names and their real values, as read-only computed properties by extension:
///
/// ```swift
/// extension DependencyValues {
///     var numberClient: NumberClient { NumberClient { try await fetchNumber() } }
/// }
/// ```
///
/// A service reads them by ``Dependency``; a test replaces them by ``Context/withDependency(_:factory:)``. Each place
/// is a dependency of its own, also where several are of one type.
public struct DependencyValues {
    init() {}
}
