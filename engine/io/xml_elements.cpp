#include "io/xml_elements.hpp"

#include "core/error.hpp"
#include "io/xml_line.hpp"

#include <exception>
#include <memory>
#include <new>
#include <type_traits>

#include <expat.h>

namespace hinesight::io {

namespace {

/// What the parser's functions get. Exceptions may not pass through it: it is C.
struct Gathering
{
  XML_Parser parser;
  const std::string& path;
  std::vector<XmlElement> elements;
  std::exception_ptr failure;

  std::int64_t line() const { return currentLine(parser); }

  template <typename Body>
  void guard(const Body& body)
  {
    if (failure)
      return;
    try {
      body();
    } catch (...) {
      failure = std::current_exception();
      XML_StopParser(parser, XML_FALSE);
    }
  }
};

std::string withoutPrefix(const char* qualified)
{
  const std::string_view whole(qualified);
  const std::size_t colon = whole.rfind(':');
  return std::string(colon == std::string_view::npos ? whole : whole.substr(colon + 1));
}

void takeElement(void* self, const XML_Char* name, const XML_Char** attributes)
{
  auto& gathering = *static_cast<Gathering*>(self);
  gathering.guard([&] {
    XmlElement element{withoutPrefix(name), {}, gathering.line()};
    for (; *attributes; attributes += 2)
      element.attributes[withoutPrefix(attributes[0])] = attributes[1];
    gathering.elements.push_back(std::move(element));
  });
}

void refuseDoctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int)
{
  auto& gathering = *static_cast<Gathering*>(self);
  gathering.guard([&] {
    throw Error(ErrorCode::BadFormat, "declares a document type, which there is no use for", gathering.path,
                gathering.line());
  });
}

struct Free
{
  void operator()(XML_Parser owned) const { XML_ParserFree(owned); }
};

} // namespace

std::vector<XmlElement> readXmlElements(std::string_view text, const std::string& path)
{
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, Free> parser(XML_ParserCreate(nullptr));
  if (!parser)
    throw std::bad_alloc();
  Gathering gathering{parser.get(), path, {}, nullptr};
  XML_SetUserData(parser.get(), &gathering);
  XML_SetStartElementHandler(parser.get(), takeElement);
  XML_SetStartDoctypeDeclHandler(parser.get(), refuseDoctype);
  for (std::size_t begin = 0; begin == 0 || begin < text.size(); begin += kPiece) {
    const std::string_view piece = text.substr(begin, kPiece);
    const bool isLast = begin + piece.size() == text.size();
    if (XML_Parse(parser.get(), piece.data(), static_cast<int>(piece.size()), isLast) == XML_STATUS_OK)
      continue;
    if (gathering.failure)
      std::rethrow_exception(gathering.failure);
    throw Error(ErrorCode::BadFormat,
                std::string("is no well-formed XML: ") + XML_ErrorString(XML_GetErrorCode(parser.get())), path,
                gathering.line());
  }
  return std::move(gathering.elements);
}

} // namespace hinesight::io
