/// The version of Zoetrope. It is defined only here.
package enum ProductVersion {
    /// The semantic version (semver.org).
    package static let text = "0.1.0"
}
