/// Of Zoetrope, as a whole: the one place where its version stands.
package enum ProductVersion {
    /// Semantic (semver.org).
    package static let text = "0.1.0"
}
