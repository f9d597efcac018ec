import CGTK

/// The version of GTK that runs. What differs between the headers' versions is in `Sources/CGTK/versions.h`.
package enum GTKVersion {
    /// Whether it is 4.`minor` or later.
    package static func isAtLeast(minor: UInt32) -> Bool { gtk_get_minor_version() >= minor }
}
