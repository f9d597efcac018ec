import Foundation

/// An HTTPS front end for a `StreamServer` with a self-signed certificate. It decrypts TLS and forwards the bytes.
///
/// Python's `ssl` handles TLS, so that the tests link no TLS library. `openssl` makes a new certificate for each
/// instance.
package final class TLSFront: @unchecked Sendable {
    // All properties are constant. `child` is thread-safe.
    private let child: ChildProcess
    private let folder: URL
    package let port: UInt16
    /// The certificate in PEM format. Clients that accept it as an authority trust this server.
    package var certificate: URL { folder.appendingPathComponent("certificate.pem") }

    /// Makes a certificate and starts the front end.
    /// - Parameters:
    ///   - server: The server to which requests are forwarded.
    ///   - name: The host name in the certificate. Clients connect to 127.0.0.1, so another name makes the certificate
    ///     invalid.
    /// - Throws: `ServerFailed` if `openssl` or `python3` fails.
    package init(before server: StreamServer, name: String = "127.0.0.1") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-tls-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let key = folder.appendingPathComponent("key.pem").path
        let certificate = folder.appendingPathComponent("certificate.pem").path
        let errors = folder.appendingPathComponent("errors").path
        let output = folder.appendingPathComponent("port").path
        let isAddress = name.allSatisfy { $0.isNumber || $0 == "." }
        let code = try ChildProcess(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)",
                "-addext", "subjectAltName=\(isAddress ? "IP" : "DNS"):\(name)", "-keyout", key, "-out", certificate,
            ], error: errors
        ).wait()
        func errorOutput() -> String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }
        guard code == 0 else { throw ServerFailed(description: "openssl made no certificate: \(errorOutput())") }
        child = try ChildProcess(
            "python3", ["-u", "-c", Self.script, certificate, key, String(server.port)], output: output, error: errors)
        let found = Deadline().poll(while: { [child] in child.exitCode == nil }) {
            (try? String(contentsOfFile: output, encoding: .utf8)).flatMap {
                $0.hasSuffix("\n") ? UInt16($0.dropLast()) : nil
            }
        }
        guard let port = found else { throw ServerFailed(description: "python3 serves no TLS: \(errorOutput())") }
        self.port = port
    }

    /// Returns a URL on this front end.
    /// - Parameter path: The path without a leading slash.
    package func url(for path: String) -> URL {
        URL(string: "https://127.0.0.1:\(port)/\(path)") ?? URL(fileURLWithPath: "/")
    }

    package func close() {
        child.send(SIGKILL)
        child.wait(seconds: 5)
        try? FileManager.default.removeItem(at: folder)
    }

    deinit { close() }

    private static let script = """
        import socket, ssl, sys, threading
        certificate, key, behind = sys.argv[1], sys.argv[2], int(sys.argv[3])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1])

        def serve(plain):
            try:
                with context.wrap_socket(plain, server_side=True) as client, socket.create_connection(("127.0.0.1", behind)) as server:
                    # One request at a time and its answer: TLS objects are not for two threads at once.
                    import select
                    while True:
                        if not client.pending():
                            ready = select.select([client, server], [], [])[0]
                        else:
                            ready = [client]
                        for one in ready:
                            data = one.recv(65536)
                            if not data:
                                return
                            (server if one is client else client).sendall(data)
            except OSError:
                pass
            finally:
                plain.close()

        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """
}
