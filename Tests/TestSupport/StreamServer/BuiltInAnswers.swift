import Foundation

/// The paths that every test server answers.
///
/// - `_echo`: Returns the request line by line, with cookies, user agent and custom headers.
/// - `_cookie?name=N&value=V[&to=PATH]`: Sets a cookie, and redirects to PATH if it is given.
/// - `_redirect?to=PATH[&count=N][&status=302]`: Redirects N times, the last time to PATH.
enum BuiltInAnswers {
    static func answer(_ request: ServerRequest) -> ServerResponse? {
        let query = request.query
        switch request.path {
        case "_echo":
            return .text(
                "\(request.method) \(request.target)\n"
                    + request.headers.fields.map { "\($0.name): \($0.value)\n" }.joined())
        case "_cookie":
            var answer = query["to"].map { ServerResponse.redirect(to: $0) } ?? .text("")
            answer.headers.append("Set-Cookie", "\(query["name"] ?? "name")=\(query["value"] ?? "value"); Path=/")
            return answer
        case "_redirect":
            guard let to = query["to"] else { return .status(400) }
            let left = (query["count"].flatMap(Int.init) ?? 1) - 1
            let status = query["status"].flatMap(Int.init) ?? 302
            let escaped = to.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? to
            return .redirect(
                to: left > 0 ? "/_redirect?to=\(escaped)&count=\(left)&status=\(status)" : to, status: status)
        default:
            return nil
        }
    }
}
