/// The names and the real values of an app's dependencies. An app adds them as read-only computed properties:
///
/// ```swift
/// extension DependencyValues {
///     var numberClient: NumberClient { NumberClient { try await fetchNumber() } }
/// }
/// ```
///
/// A service reads them with ``Dependency``, and a test replaces them with ``Context/withDependency(_:factory:)``. Each
/// property is a separate dependency, even if several have the same type.
public struct DependencyValues {
    init() {}
}
