import ArgumentParser
import Foundation
import MediaEngine

/// Network options of every command that loads from servers.
struct ServerOptions: ParsableArguments {
    @Flag(help: "Skip TLS certificate verification. Use only with servers you trust.")
    var insecure = false

    @Flag(
        help:
            "Send the URL's user name and password, and any headers that you add, to all servers of a stream. Use only with servers you trust."
    )
    var shareCredentials = false

    var access: ServerAccess {
        ServerAccess(allowsUntrustedCertificates: insecure, sharesCredentials: shareCredentials)
    }
}

/// Options for assets on servers.
struct ServerAccess: Sendable {
    var allowsUntrustedCertificates = false
    var sharesCredentials = false

    /// Creates an asset with these options.
    /// - Parameter headers: Headers for the URL's server. Other servers receive headers that can contain secrets only
    ///   if `sharesCredentials` is true.
    func asset(_ url: URL, headers: [String: String] = [:]) -> AVURLAsset {
        var options: [String: any Sendable] = [:]
        if allowsUntrustedCertificates { options[AVURLAssetAllowsUntrustedCertificatesKey] = true }
        if sharesCredentials { options[AVURLAssetSharesCredentialsKey] = true }
        if !headers.isEmpty { options[AVURLAssetHTTPHeaderFieldsKey] = headers }
        return AVURLAsset(url: url, options: options)
    }
}
