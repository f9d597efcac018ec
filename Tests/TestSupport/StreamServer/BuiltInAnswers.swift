import Foundation

/// Paths every server of the tests answers:
///
/// - `_echo`: the request as it came, line by line (cookies, user agent, custom fields).
/// - `_cookie?name=N&value=V[&to=PATH]`: sets a cookie, and redirects if told where to.
/// - `_redirect?to=PATH[&count=N][&status=302]`: N redirects, the last one to PATH.
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
